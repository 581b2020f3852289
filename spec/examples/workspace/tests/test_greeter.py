import unittest

from greeter import farewell, greet


class GreetTest(unittest.TestCase):
    def test_known_language(self):
        self.assertEqual(greet("Ada", "de"), "Hallo, Ada!")

    def test_unknown_language_is_english(self):
        self.assertEqual(greet("Ada", "xx"), "Hello, Ada!")


class FarewellTest(unittest.TestCase):
    def test_known_language(self):
        self.assertEqual(farewell("Ada", "fr"), "Au revoir, Ada.")


if __name__ == "__main__":
    unittest.main()
