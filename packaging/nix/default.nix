# nix-build packaging/nix : builds the tree that contains this file.
{ pkgs ? import <nixpkgs> { } }:

pkgs.stdenv.mkDerivation {
  pname = "flamepipe";
  version = pkgs.lib.removeSuffix "\n" (builtins.readFile ../../VERSION);
  src = pkgs.lib.cleanSource ../..;

  nativeBuildInputs = [ pkgs.pkg-config ];
  buildInputs = with pkgs; [ libdeflate libxml2 pcre2 zlib zstd ]
    ++ pkgs.lib.optionals pkgs.stdenv.isLinux [ elfutils ];
  nativeCheckInputs = with pkgs; [ libxml2 xz ];

  enableParallelBuilding = true;
  NO_INSTALL = "1";
  makeFlags = [ "PREFIX=$(out)" ];
  postPatch = "patchShebangs tools tests/golden/run";
  doCheck = true;
  checkPhase = "BIN=$PWD/build/bin tests/golden/run";
  installTargets = [ "install" "install-compat" ];

  meta = {
    description = "Tools that record, compare and draw profiles as flame graphs";
    license = pkgs.lib.licenses.mit;
    mainProgram = "flame";
    platforms = pkgs.lib.platforms.unix;
  };
}
