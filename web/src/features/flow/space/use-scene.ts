import { type RefObject, useLayoutEffect, useState } from 'react'
import { makeScene, type Scene } from './draw/scene.ts'

/** `missing`: no WebGL 2 here; `lost`: the graphics card was taken away, and may come back. */
export type SceneState =
  | { state: 'drawn'; scene: Scene }
  | { state: 'missing' | 'lost' | 'waiting'; scene: null }

/** A canvas of its own in front of all else in `holder`: one whose context is gone can never draw again, so each has its own. */
export function useScene(holder: RefObject<HTMLElement | null>): SceneState {
  const [made, setMade] = useState<SceneState>({ state: 'waiting', scene: null })
  useLayoutEffect(() => {
    const canvas = document.createElement('canvas')
    canvas.setAttribute('aria-hidden', 'true')
    holder.current?.prepend(canvas)
    let scene: Scene | null = null
    const begin = () => {
      scene = makeScene(canvas)
      canvas.hidden = scene === null
      setMade(scene ? { state: 'drawn', scene } : { state: 'missing', scene: null })
    }
    const handleLost = (event: Event) => {
      // Else it never comes back.
      event.preventDefault()
      canvas.hidden = true
      setMade({ state: 'lost', scene: null })
    }
    canvas.addEventListener('webglcontextlost', handleLost)
    canvas.addEventListener('webglcontextrestored', begin)
    begin()
    return () => {
      canvas.removeEventListener('webglcontextlost', handleLost)
      canvas.removeEventListener('webglcontextrestored', begin)
      scene?.end()
      canvas.remove()
    }
  }, [holder])
  return made
}
