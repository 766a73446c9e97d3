work 4
