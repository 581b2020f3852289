"""A program in a terminal: keys go in, and what a person would see can be read."""

import os
import select
import time

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

    def type(self, text):
        self.process.write(text.encode())

    def read(self, seconds):
        """Takes in what the program has written, and waits that long for it at most."""
        ready, _, _ = select.select([self.process.fd], [], [], seconds)
        if not ready:
            return
        try:
            self.stream.feed(os.read(self.process.fd, 1 << 16))
        except OSError:
            # Linux says so where the program has ended.
            self.closed = True

    def settle(self, quiet=0.05, limit=2.0):
        """Reads until the program writes nothing for a moment."""
        end = time.monotonic() + limit
        while not self.closed and time.monotonic() < end:
            ready, _, _ = select.select([self.process.fd], [], [], quiet)
            if not ready:
                return
            self.read(0)

    def lines(self):
        return [line.rstrip() for line in self.screen.display]

    def text(self):
        return "\n".join(self.lines())

    def underlined(self):
        """The stretches that are underlined, as `(row, text)`."""
        found = []
        for row in range(HEIGHT):
            stretch = ""
            for column in range(WIDTH + 1):
                cell = self.screen.buffer[row][column] if column < WIDTH else None
                if cell is not None and cell.underscore:
                    stretch += cell.data
                elif stretch:
                    found.append((row, stretch))
                    stretch = ""
        return found

    def end(self):
        """Ends the program and everything that shares its terminal."""
        self.process.close(force=True)
