"""A program in a terminal: keys go in, and what a person would see can be read."""

import os
import select
import time
from itertools import groupby

import ptyprocess
import pyte

WIDTH, HEIGHT = 120, 40


class Screen(pyte.Screen):
    """A screen that answers what the program asks the terminal."""

    def __init__(self, answer):
        super().__init__(WIDTH, HEIGHT)
        self.answer = answer

    def write_process_input(self, data):
        self.answer(data.encode())


class Terminal:
    def __init__(self, command, folder, environment):
        self.process = ptyprocess.PtyProcess.spawn(
            command, cwd=folder, env=environment, dimensions=(HEIGHT, WIDTH)
        )
        self.screen = Screen(self.process.write)
        self.stream = pyte.ByteStream(self.screen)
        self.closed = False

    def type(self, keys):
        self.process.write(keys.encode())

    def read(self, seconds):
        """Takes in what the program writes, and waits that long for it at most; says if it did."""
        if self.closed:
            return False
        ready, _, _ = select.select([self.process.fd], [], [], seconds)
        if not ready:
            return False
        try:
            self.stream.feed(os.read(self.process.fd, 1 << 16))
        except OSError:
            # Linux says so where the program has ended.
            self.closed = True
        return not self.closed

    def until(self, what, found, limit):
        """Reads until something is to be seen, and gives it."""
        end = time.monotonic() + limit
        while True:
            value = found()
            if value:
                return value
            if time.monotonic() > end:
                raise AssertionError(f"waited {limit} s in vain for {what}; the screen:\n{self.text()}")
            self.read(0.02)

    def lines(self):
        return [line.rstrip() for line in self.screen.display]

    def text(self):
        return "\n".join(line for line in self.lines() if line.strip() not in ("", "~"))

    def stretches(self, row, look):
        """The parts of a row that look the same, as `(look, text)`."""
        cells = [self.screen.buffer[row][column] for column in range(WIDTH)]
        return [(seen, "".join(cell.data for cell in part)) for seen, part in groupby(cells, look)]

    def end(self):
        """Ends the program and everything that shares its terminal."""
        self.process.close(force=True)
