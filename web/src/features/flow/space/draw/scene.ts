/** The volume drawn by WebGL 2: lines as round tubes, particles, the edges of the volume and the surface of the mask. Knows no page. */
import { rgbOf, tableOf } from '@neuroloom/contract/flow/colours'
import { GROUND, HULL, SOFT_INK } from '../../viewer/draw/ink.ts'
import type { Hull } from '../numbers/hull.ts'
import { type PackedLines, STRIDE } from '../numbers/pack.ts'
import { type Camera, clipMatrix } from './camera.ts'
import { makeProgram, type Program } from './program.ts'
import {
  BALL_FRAGMENT,
  BALL_VERTEX,
  HULL_FRAGMENT,
  HULL_VERTEX,
  ROW,
  TUBE_FRAGMENT,
  TUBE_VERTEX,
} from './shaders.ts'

/** A part of the picture, in its pixels from the upper left. */
export type Tile = { x: number; y: number; width: number; height: number }

export type Drawn = {
  camera: Camera
  /** Pixels to a CSS pixel. */
  ratio: number
  /** Of tubes, in CSS pixels. */
  thick: number
  /** m/s that colours end at. */
  reference: number
  /** Frames since the first particle was let go, and how long tails are; null where all of each line is seen. */
  moment: { now: number; tail: number } | null
  /** x, y, z and speed of each. */
  particles: Float32Array | null
  tile?: Tile
}

export type Scene = {
  canvas: HTMLCanvasElement
  /** Pixels to draw for one that is seen, so that edges are smooth. */
  fineness: 1 | 2
  setBox: (box: PackedLines) => void
  setLines: (lines: PackedLines | null) => void
  setHull: (hull: Hull | null) => void
  draw: (drawn: Drawn) => void
  /** All that lies on the graphics card is given back. */
  end: () => void
}

/** Null where this browser has no WebGL 2, or its graphics card takes no program. */
export function makeScene(canvas: HTMLCanvasElement): Scene | null {
  // Without a graphics card smooth edges take three times as long: then pictures are drawn larger once nothing moves.
  const hasCard = !isSoftware()
  const gl = canvas.getContext('webgl2', { alpha: false, antialias: hasCard })
  if (!gl) return null
  const programs = {
    tube: makeProgram(gl, TUBE_VERTEX, TUBE_FRAGMENT),
    ball: makeProgram(gl, BALL_VERTEX, BALL_FRAGMENT),
    hull: makeProgram(gl, HULL_VERTEX, HULL_FRAGMENT),
  }
  const { tube, ball, hull } = programs
  if (!tube || !ball || !hull) return null
  const colours = colourTexture(gl)
  const [box, lines, balls] = [makeTubes(gl), makeTubes(gl), makeBalls(gl)]
  const surface = makeSurface(gl)
  return {
    canvas,
    fineness: hasCard ? 1 : 2,
    setBox: box.set,
    setLines: lines.set,
    setHull: surface.set,
    draw(drawn) {
      begin(gl, canvas, drawn)
      const { camera, thick, moment, particles } = drawn
      const radius = thick / 2 / camera.scale
      prepare(tube, drawn)
      tube.set('plain', [...sharesOf(SOFT_INK), 1])
      tube.set('moment', [0, 1, 0])
      box.draw(tube, BOX_THICK / 2 / camera.scale, 2)
      tube.set('plain', [0, 0, 0, 0])
      tube.set('moment', moment ? [moment.now, moment.tail, 1] : [0, 1, 0])
      lines.draw(tube, radius, sidesOf(thick * drawn.ratio))
      if (particles) {
        prepare(ball, drawn)
        ball.set('radius', [Math.max(radius * 1.6, BALL / 2 / camera.scale)])
        balls.draw(particles)
      }
      gl.enable(gl.BLEND)
      gl.depthMask(false)
      prepare(hull, drawn)
      hull.set('away', camera.away)
      hull.set('colour', sharesOf(HULL))
      surface.draw()
      gl.depthMask(true)
      gl.disable(gl.BLEND)
    },
    end() {
      for (const { end } of [box, lines, balls, surface, tube, ball, hull]) end()
      gl.deleteTexture(colours)
      gl.getExtension('WEBGL_lose_context')?.loseContext()
    },
  }
}

let knownSoftware: boolean | null = null

/** Whether the processor alone draws; asked once, of a context that is given back. */
function isSoftware(): boolean {
  if (knownSoftware !== null) return knownSoftware
  const gl = document.createElement('canvas').getContext('webgl2')
  if (!gl) return false
  const info = gl.getExtension('WEBGL_debug_renderer_info')
  const name = gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER)
  gl.getExtension('WEBGL_lose_context')?.loseContext()
  knownSoftware = /swiftshader|llvmpipe|softpipe|basic render|software/i.test(String(name))
  return knownSoftware
}

/** CSS pixels: edges of the volume, and the least of a particle. */
const BOX_THICK = 1
const BALL = 7

/** Around the half of a tube of so many pixels: more are not told apart. */
const sidesOf = (pixels: number): number => Math.min(8, Math.max(2, Math.round(2 + pixels / 4)))

function begin(gl: WebGL2RenderingContext, canvas: HTMLCanvasElement, { camera, ratio, tile }: Drawn): void {
  const { image } = camera
  const [width, height] = [Math.round(image.width * ratio), Math.round(image.height * ratio)]
  const { x, y, ...size } = tile ?? { x: 0, y: 0, width, height }
  if (canvas.width !== size.width || canvas.height !== size.height) Object.assign(canvas, size)
  gl.viewport(-x, size.height + y - height, width, height)
  gl.clearColor(...sharesOf(GROUND), 1)
  gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT)
  gl.enable(gl.DEPTH_TEST)
  gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA)
}

function prepare(program: Program, { camera, reference }: Drawn): void {
  const { right, down, away } = camera
  program.use()
  program.set('clip', clipMatrix(camera))
  program.set('sight', [...right, ...down, ...away])
  program.set('top', [Math.max(reference, 1e-9)])
  // From where one looks, a little from the upper left.
  const light = [0, 1, 2].map(
    (axis) => -(away[axis] ?? 0) - 0.35 * (right[axis] ?? 0) - 0.5 * (down[axis] ?? 0),
  )
  const length = Math.hypot(...light)
  program.set(
    'light',
    light.map((part) => part / length),
  )
}

function sharesOf(colour: string): [number, number, number] {
  const [red, green, blue] = rgbOf(colour)
  return [red / 255, green / 255, blue / 255]
}

function colourTexture(gl: WebGL2RenderingContext): WebGLTexture {
  const texture = plainTexture(gl, gl.TEXTURE0, gl.LINEAR)
  const table = new Uint8Array(tableOf('speed'))
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGB, 256, 1, 0, gl.RGB, gl.UNSIGNED_BYTE, table)
  return texture
}

function plainTexture(gl: WebGL2RenderingContext, unit: number, filter: number): WebGLTexture {
  const texture = gl.createTexture()
  gl.activeTexture(unit)
  gl.bindTexture(gl.TEXTURE_2D, texture)
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, filter)
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, filter)
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE)
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE)
  return texture
}

/** Pieces between two points, all drawn at once: points come in textures, so that each corner reads the four that it needs. */
function makeTubes(gl: WebGL2RenderingContext) {
  const units = [gl.TEXTURE1, gl.TEXTURE2]
  const textures = units.map((unit) => plainTexture(gl, unit, gl.NEAREST))
  let pieces = 0
  const fill = (index: 0 | 1, values: Float32Array, width: number) => {
    const rows = Math.ceil(values.length / width / ROW)
    const whole = new Float32Array(rows * ROW * width)
    whole.set(values)
    const [inner, format] = index === 0 ? [gl.RGBA32F, gl.RGBA] : [gl.R32F, gl.RED]
    gl.activeTexture(units[index] ?? gl.TEXTURE1)
    gl.bindTexture(gl.TEXTURE_2D, textures[index] ?? null)
    gl.texImage2D(gl.TEXTURE_2D, 0, inner, ROW, rows, 0, format, gl.FLOAT, whole)
  }
  return {
    set(lines: PackedLines | null): void {
      pieces = lines ? Math.max(0, lines.times.length - 3) : 0
      if (!lines) return
      fill(0, lines.points, STRIDE)
      fill(1, lines.times, 1)
    },
    draw(program: Program, radius: number, sides: number): void {
      if (pieces === 0) return
      for (const [index, name] of ['points', 'times'].entries()) {
        gl.activeTexture(units[index] ?? gl.TEXTURE1)
        gl.bindTexture(gl.TEXTURE_2D, textures[index] ?? null)
        program.set(name, [index + 1])
      }
      program.set('radius', [radius])
      program.set('sides', [sides])
      gl.drawArrays(gl.TRIANGLE_STRIP, 0, (2 * sides + 4) * pieces)
    },
    end(): void {
      for (const texture of textures) gl.deleteTexture(texture)
    },
  }
}

function makeBalls(gl: WebGL2RenderingContext) {
  const [array, buffer] = [gl.createVertexArray(), gl.createBuffer()]
  gl.bindVertexArray(array)
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer)
  gl.enableVertexAttribArray(0)
  gl.vertexAttribPointer(0, 4, gl.FLOAT, false, 0, 0)
  gl.vertexAttribDivisor(0, 1)
  gl.bindVertexArray(null)
  return {
    draw(places: Float32Array): void {
      gl.bindVertexArray(array)
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer)
      gl.bufferData(gl.ARRAY_BUFFER, places, gl.DYNAMIC_DRAW)
      gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, places.length / 4)
      gl.bindVertexArray(null)
    },
    end(): void {
      gl.deleteBuffer(buffer)
      gl.deleteVertexArray(array)
    },
  }
}

function makeSurface(gl: WebGL2RenderingContext) {
  const array = gl.createVertexArray()
  const [corners, normals, triangles] = [gl.createBuffer(), gl.createBuffer(), gl.createBuffer()]
  let count = 0
  gl.bindVertexArray(array)
  for (const [location, buffer] of [corners, normals].entries()) {
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer)
    gl.enableVertexAttribArray(location)
    gl.vertexAttribPointer(location, 3, gl.FLOAT, false, 0, 0)
  }
  gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, triangles)
  gl.bindVertexArray(null)
  return {
    set(hull: Hull | null): void {
      count = hull?.triangles.length ?? 0
      if (!hull) return
      gl.bindVertexArray(array)
      for (const [buffer, values] of [
        [corners, hull.corners],
        [normals, hull.normals],
      ] as const) {
        gl.bindBuffer(gl.ARRAY_BUFFER, buffer)
        gl.bufferData(gl.ARRAY_BUFFER, values, gl.STATIC_DRAW)
      }
      gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, hull.triangles, gl.STATIC_DRAW)
      gl.bindVertexArray(null)
    },
    draw(): void {
      if (count === 0) return
      gl.bindVertexArray(array)
      gl.drawElements(gl.TRIANGLES, count, gl.UNSIGNED_INT, 0)
      gl.bindVertexArray(null)
    },
    end(): void {
      for (const buffer of [corners, normals, triangles]) gl.deleteBuffer(buffer)
      gl.deleteVertexArray(array)
    },
  }
}
