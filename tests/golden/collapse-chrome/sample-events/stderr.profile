collapse-chrome: input: this is a trace as Chrome records it, but it has no stacks: no event that is read has a duration, and there is no sample
