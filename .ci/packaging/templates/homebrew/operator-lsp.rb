class OperatorLsp < Formula
  desc "Language server and command-line for edit blocks in chats with language models"
  homepage "{{repository}}"
  version "{{version}}"
  license any_of: ["MIT", "Apache-2.0"]

{{#darwin-arm64}}
  on_macos do
    on_arm do
      url "{{url}}"
      sha256 "{{sha256}}"
    end
  end
{{/}}
{{#darwin-x64}}
  on_macos do
    on_intel do
      url "{{url}}"
      sha256 "{{sha256}}"
    end
  end
{{/}}
{{#linux-x64}}
  on_linux do
    on_intel do
      url "{{url}}"
      sha256 "{{sha256}}"
    end
  end
{{/}}
{{#linux-arm64}}
  on_linux do
    on_arm do
      url "{{url}}"
      sha256 "{{sha256}}"
    end
  end
{{/}}

  def install
    bin.install "bin/operator-lsp"
    pkgshare.install "editors", "spec"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/operator-lsp --version")
    cp pkgshare/"spec/examples/chat-good.md", testpath
    output = shell_output("#{bin}/operator-lsp apply chat-good.md --root #{pkgshare}/spec/examples/workspace --dry-run 2>&1")
    assert_match "applied", output
  end
end
