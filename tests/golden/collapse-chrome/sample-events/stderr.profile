collapse-chrome: input: this is a trace as Chrome records it, but it has no stacks: no event has a duration, and there are no samples
