// Links that hold a scenario: deflated, in the fragment, which no browser sends to a server.

const through = async (bytes, stream) => new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());

/** The fragment of a scenario. */
export async function fragment(scenario) {
  const bytes = await through(new TextEncoder().encode(JSON.stringify(scenario)), new CompressionStream('deflate-raw'));
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  return `#s=${text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`;
}

/** The scenario of a fragment; null if it holds none. Throws if the fragment is cut or changed. */
export async function scenario(hash) {
  if (!hash.startsWith('#s=')) return null;
  try {
    const text = atob(hash.slice(3).replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
    const { name, text: toml, set } = JSON.parse(new TextDecoder().decode(await through(bytes, new DecompressionStream('deflate-raw'))));
    if (typeof name === 'string' && typeof toml === 'string' && Array.isArray(set)) return { name, text: toml, set: set.map(String) };
  } catch {
    // It is no text in base64, not deflated, or no scenario.
  }
  throw new Error('This link is damaged: nothing was opened. Ask for it again, and copy it whole.');
}
