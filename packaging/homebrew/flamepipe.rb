# When you publish a release, fill in url and sha256 of its archive, which `make dist` makes.
class Flamepipe < Formula
  desc "Tools that record, compare and draw profiles as flame graphs"
  homepage "https://flamepipe.example"
  url "https://flamepipe.example/flamepipe-1.0.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "MIT"

  depends_on "gnu-tar" => :build
  depends_on "make" => :build
  depends_on "pkgconf" => :build
  depends_on "libdeflate"
  depends_on "pcre2"
  depends_on "zstd"

  uses_from_macos "libxml2"
  uses_from_macos "zlib"

  on_linux do
    depends_on "elfutils"
  end

  def install
    ENV["NO_INSTALL"] = "1"
    # macOS has an old make, with which the Makefile is not tested.
    system "gmake", "install", "install-compat", "PREFIX=#{prefix}",
           "BASHDIR=#{bash_completion}", "ZSHDIR=#{zsh_completion}", "FISHDIR=#{fish_completion}"
  end

  test do
    (testpath/"folded").write "a;b 300\n"
    system bin/"flamegraph", "-o", "drawn.svg", "folded"
    assert_equal "a;b 300\n", shell_output("#{bin}/flamegraph --extract drawn.svg")
  end
end
