def parse(it):
    return it
