collapse-chrome: input: no event with a duration was found, and no sample
