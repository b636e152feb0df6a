import { afterEach, expect, test, vi } from 'vitest'
import { liveSource, packedSource } from '../src/data/source'
import { layerThree, smallLook } from './looks'

async function packedLook(bytes: Uint8Array) {
  const deflated = new Blob([bytes.slice()]).stream().pipeThrough(new CompressionStream('deflate'))
  const letters = Array.from(new Uint8Array(await new Response(deflated).arrayBuffer()), (byte) => String.fromCharCode(byte))
  const look = smallLook()
  look.parts[0]!.layers[0]!.data = btoa(letters.join(''))
  return look
}

afterEach(() => vi.unstubAllGlobals())

test('packed layers are unpacked once and then here', async () => {
  const source = packedSource(await packedLook(layerThree()))
  expect(source.peek('encoder', 3)).toBeUndefined()
  const bytes = await source.get('encoder', 3)
  expect(Array.from(bytes)).toEqual(Array.from(layerThree()))
  expect(await source.get('encoder', 3)).toBe(bytes)
  expect(source.peek('encoder', 3)).toBe(bytes)
})

test('a layer that is not in the page or has another size is refused', async () => {
  await expect(packedSource(smallLook()).get('encoder', 4)).rejects.toThrow('layer 4 did not come')
  await expect(packedSource(await packedLook(layerThree().slice(1))).get('encoder', 3)).rejects.toThrow('31 weights, not 32')
})

test('the server is asked once, and again after a failure', async () => {
  const asked: string[] = []
  const answers = [
    new Response(JSON.stringify({ message: 'asked too long ago; ask again' }), { status: 404 }),
    new Response(layerThree().slice()),
  ]
  vi.stubGlobal('fetch', async (path: string) => {
    asked.push(path)
    return answers[asked.length - 1]!
  })
  const source = liveSource(smallLook())
  await expect(source.get('encoder', 3)).rejects.toThrow('asked too long ago; ask again')
  const [one, other] = await Promise.all([source.get('encoder', 3), source.get('encoder', 3)])
  expect(one).toBe(other)
  expect(asked).toEqual(['/api/maps/abc/encoder/3', '/api/maps/abc/encoder/3'])
})
