# The formula of tollproof {{ version }} for Homebrew. Put it into a tap, as Formula/tollproof.rb.
class Tollproof < Formula
  desc "Proofreads US and Canadian toll-free verification submissions"
  homepage "{{ homepage }}"
  version "{{ version }}"
  license any_of: ["MIT", "Apache-2.0"]

{% for system, name in [("macos", "apple-darwin"), ("linux", "unknown-linux-gnu")] %}
{% if "x86_64-" ~ name in archives or "aarch64-" ~ name in archives %}
  on_{{ system }} do
{% for processor, arch in [("arm", "aarch64"), ("intel", "x86_64")] %}
{% set archive = archives.get(arch ~ "-" ~ name) %}
{% if archive %}
    on_{{ processor }} do
      url "{{ download }}/{{ archive.name }}"
      sha256 "{{ archive.sha256 }}"
    end
{% endif %}
{% endfor %}
  end

{% endif %}
{% endfor %}
  def install
    bin.install "tollproof"
    generate_completions_from_executable(bin/"tollproof", "completions")
    (man1/"tollproof.1").write Utils.safe_popen_read(bin/"tollproof", "man")
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/tollproof --version")
    (testpath/"draft.json").write('{ "optInWorkflowDescription": "" }')
    assert_match "structure/missing-field", shell_output("#{bin}/tollproof check draft.json", 1)
  end
end
