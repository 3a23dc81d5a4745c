"""Tries again what may fail."""

import time


class Retry:
    """Holds the options of a retry and runs functions under them, one after the other, until one succeeds."""

    limit = 3

    def __init__(self, delay):
        self.delay = delay

    # Waits longer each time.
    def run(self, function):
        for attempt in range(self.limit + 1):
            try:
                return function()
            except OSError:
                time.sleep(self.delay * 2**attempt)
        raise TimeoutError


def main():
    Retry(1).run(print)


if __name__ == "__main__":
    main()
