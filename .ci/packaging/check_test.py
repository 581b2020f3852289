"""Plants faults, each of which a check must find: `check_test.py`."""

import tempfile
import unittest
from pathlib import Path
from unittest import mock

import check
import fill
import rules
import wrappers
from project import PLATFORMS

SHAS = {it["name"]: "0123456789abcdef" * 4 for it in PLATFORMS}
FAULTS = [
    ("aur/PKGBUILD", "package() {", "package() {{"),
    ("aur/PKGBUILD", "pkgver=", "version="),
    ("aur/SRCINFO", "0123456789abcdef", ""),
    ("helix/languages.toml", 'name = "operator"', ""),
    ("homebrew/operator-lsp.rb", "  end\n", ""),
    ("homebrew/operator-lsp.rb", "  license ", "  licence "),
    ("mason/package.yaml", "target: linux_x64_gnu", "target: linux_x86_gnu"),
    ("mason/package.yaml", "pkg:github/", "pkg:npm/"),
    ("mason/package.yaml", "categories:", "category:"),
    ("nix/flake.nix", "    in {", "    in"),
    ("scoop/operator-lsp.json", '"license"', '"licence"'),
    ("scoop/operator-lsp.json", '"extract_dir"', '"extract_folder"'),
    ("winget/operator-lsp.operator-lsp.installer.yaml", "Architecture: x64", "Architecture: 64"),
    ("winget/operator-lsp.operator-lsp.installer.yaml", "PortableCommandAlias", "Alias"),
    ("winget/operator-lsp.operator-lsp.locale.en-US.yaml", "License: ", "Licence: "),
    ("winget/operator-lsp.operator-lsp.yaml", "ManifestVersion: 1.6.0", "ManifestVersion: 1.5.0"),
    ("zed/extensions.toml", "path = ", "folder = "),
]


class Faults(unittest.TestCase):
    """Each fault is found, and without it nothing is."""

    def test_manifests(self):
        for name, old, new in FAULTS:
            text = fill.manifests(SHAS)[name]
            self.assertIn(old, text)
            self.assertEqual(rules.RULES[name](text, list(SHAS)), [], name)
            self.assertTrue(rules.RULES[name](text.replace(old, new, 1), list(SHAS)), f"{name}: {new}")

    def test_every_manifest_has_a_fault(self):
        self.assertEqual({name for name, _, _ in FAULTS}, set(rules.RULES))

    def test_packages(self):
        manifest = wrappers.npm_wrapper(PLATFORMS)
        self.assertEqual(rules.npm(manifest), [])
        self.assertTrue(rules.npm(manifest | {"bin": 1}))
        self.assertTrue(rules.wheel(wrappers.metadata().replace("License-Expression: MIT", "License-Expression: MYTH")))

    def test_an_unknown_value(self):
        with self.assertRaises(KeyError):
            fill.filled("{{nothing}}", SHAS, "x")

    def test_versions(self):
        with mock.patch.object(check, "VERSION", "9.9.9"):
            self.assertGreater(len(check.versions()), 8)
            self.assertTrue(check.changelog())
            self.assertTrue(check.binstall())

    def test_platforms(self):
        self.assertEqual(check.platforms(), [])
        for field, value in [
            ("triples", ["x86_64-unknown-nothing"]),
            ("npm", {"os": "sunos", "cpu": "x64"}),
            ("wheel", "any"),
        ]:
            with mock.patch.object(check, "PLATFORMS", [PLATFORMS[0] | {field: value}]):
                self.assertTrue(check.platforms(), field)

    def test_links(self):
        self.assertTrue(check.links({"x.md": "https://example.net/"}))
        self.assertTrue(check.links({"x.md": "[x](nowhere.md)"}))
        self.assertEqual(check.links({"x.md": "[x](README.md) `[y](nowhere.md)` https://rustup.rs."}), [])

    def test_sums(self):
        with tempfile.TemporaryDirectory() as folder:
            name = "operator-lsp-linux-x64.tar.gz"
            (Path(folder) / name).write_text("something else")
            (Path(folder) / "SHA256SUMS").write_text(f"{SHAS['linux-x64']}  {name}\n")
            self.assertIn(f"{name} does not have its sum", check.release(Path(folder)))


if __name__ == "__main__":
    unittest.main()
