{
  description = "{{description}}";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs = { self, nixpkgs }:
    let
      version = "{{version}}";
      sources = {
{{#linux-x64}}
        x86_64-linux = {
          url = "{{url}}";
          sha256 = "{{sha256}}";
        };
{{/}}
{{#linux-arm64}}
        aarch64-linux = {
          url = "{{url}}";
          sha256 = "{{sha256}}";
        };
{{/}}
{{#darwin-x64}}
        x86_64-darwin = {
          url = "{{url}}";
          sha256 = "{{sha256}}";
        };
{{/}}
{{#darwin-arm64}}
        aarch64-darwin = {
          url = "{{url}}";
          sha256 = "{{sha256}}";
        };
{{/}}
      };
      package = system:
        let pkgs = nixpkgs.legacyPackages.${system};
        in pkgs.stdenv.mkDerivation {
          pname = "operator-lsp";
          inherit version;
          src = pkgs.fetchurl sources.${system};
          nativeBuildInputs = pkgs.lib.optional pkgs.stdenv.hostPlatform.isLinux pkgs.autoPatchelfHook;
          buildInputs = pkgs.lib.optional pkgs.stdenv.hostPlatform.isLinux pkgs.stdenv.cc.cc.lib;
          installPhase = ''
            install -Dm755 bin/operator-lsp -t $out/bin
            mkdir -p $out/share/operator-lsp
            cp -r editors spec $out/share/operator-lsp
          '';
          meta = {
            description = "{{description}}";
            homepage = "{{repository}}";
            license = with pkgs.lib.licenses; [ mit asl20 ];
            mainProgram = "operator-lsp";
          };
        };
    in {
      packages = builtins.mapAttrs (system: _: { default = package system; }) sources;
    };
}
