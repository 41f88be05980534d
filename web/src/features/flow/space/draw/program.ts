/** A program on the graphics card and the numbers it is given by name. */

export type Program = {
  use: () => void
  /** By the kind that the program declares; a name that it does not know is left alone. */
  set: (name: string, values: ArrayLike<number>) => void
  end: () => void
}

/** Null where the card takes it not: why stands in the console. */
export function makeProgram(gl: WebGL2RenderingContext, vertex: string, fragment: string): Program | null {
  const program = gl.createProgram()
  const shaders = [
    [gl.VERTEX_SHADER, vertex],
    [gl.FRAGMENT_SHADER, fragment],
  ] as const
  const made = shaders.flatMap(([kind, text]) => {
    const shader = gl.createShader(kind)
    if (!shader) return []
    gl.shaderSource(shader, text)
    gl.compileShader(shader)
    gl.attachShader(program, shader)
    return [shader]
  })
  gl.linkProgram(program)
  // They live on as long as the program does.
  for (const shader of made) gl.deleteShader(shader)
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) {
    if (!gl.isContextLost()) {
      console.error(...made.map((shader) => gl.getShaderInfoLog(shader)), gl.getProgramInfoLog(program))
    }
    gl.deleteProgram(program)
    return null
  }
  const places = uniformsOf(gl, program)
  return {
    use: () => gl.useProgram(program),
    set(name, values) {
      const place = places.get(name)
      if (place) write(gl, place, Float32Array.from(values))
    },
    end: () => gl.deleteProgram(program),
  }
}

type Place = { at: WebGLUniformLocation; kind: number }

function uniformsOf(gl: WebGL2RenderingContext, program: WebGLProgram): Map<string, Place> {
  const places = new Map<string, Place>()
  for (let index = 0; index < gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS); index++) {
    const about = gl.getActiveUniform(program, index)
    const at = about && gl.getUniformLocation(program, about.name)
    if (at) places.set(about.name, { at, kind: about.type })
  }
  return places
}

function write(gl: WebGL2RenderingContext, { at, kind }: Place, values: Float32Array): void {
  if (kind === gl.FLOAT_MAT4) gl.uniformMatrix4fv(at, false, values)
  else if (kind === gl.FLOAT_MAT3) gl.uniformMatrix3fv(at, false, values)
  else if (kind === gl.FLOAT_VEC4) gl.uniform4fv(at, values)
  else if (kind === gl.FLOAT_VEC3) gl.uniform3fv(at, values)
  else if (kind === gl.FLOAT) gl.uniform1fv(at, values)
  else gl.uniform1i(at, values[0] ?? 0)
}
