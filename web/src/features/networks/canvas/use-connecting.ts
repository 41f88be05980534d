import type { Connection, Edge, FinalConnectionState, OnConnectStartParams } from '@xyflow/react'
import { useReactFlow } from '@xyflow/react'
import { useMemo } from 'react'
import { connect, startConnecting, stopConnecting } from '../editor/connecting.ts'
import type { Pending } from '../editor/screen.ts'
import { useWorkbench } from '../editor/workbench.ts'
import { frameAt } from './cards/frame-at.ts'
import { fitsFrom } from './fitting.ts'
import { outletOf, slotOf } from './flow.ts'

/** Connections drawn by mouse, or by tapping two ports one after the other. */
export function useConnecting() {
  const bench = useWorkbench()
  const { screenToFlowPosition } = useReactFlow()
  return useMemo(() => {
    let asked: { key: string; fits: ReadonlySet<string> } | null = null
    /** Drawn backwards, from an input, the source is known only where the pointer is. */
    const fitsOf = (pending: Pending): ReadonlySet<string> => {
      const key = `${pending.source} ${pending.outlet}`
      if (asked?.key !== key) {
        asked = { key, fits: fitsFrom(bench.scene, bench.store.getState(), pending) }
      }
      return asked.fits
    }
    const handleStart = (_event: unknown, { nodeId, handleId, handleType }: OnConnectStartParams) => {
      asked = null
      if (nodeId === null || handleId === null || handleType !== 'source') return
      startConnecting(bench, { source: nodeId, outlet: outletOf(handleId) })
    }
    const handleEnd = (event: MouseEvent | TouchEvent, state: FinalConnectionState) => {
      const { fromNode, fromHandle, toHandle, toNode, isValid } = state
      stopConnecting(bench)
      if (isValid || fromNode === null || fromHandle?.id == null || fromHandle.type !== 'source') return
      const from = { source: fromNode.id, outlet: outletOf(fromHandle.id) }
      if (toHandle?.id != null && toHandle.type === 'target') {
        connect(bench, from, { target: toHandle.nodeId, slot: slotOf(toHandle.id) })
        return
      }
      if (toNode !== null) return
      const point = 'changedTouches' in event ? event.changedTouches[0] : event
      if (point === undefined) return
      const { x, y } = screenToFlowPosition({ x: point.clientX, y: point.clientY })
      bench.screen.getState().set({ quick: { ...frameAt(bench.scene, [x, y]), from } })
    }
    return {
      isValid: ({ source, sourceHandle, target, targetHandle }: Connection | Edge) =>
        fitsOf({ source, outlet: outletOf(sourceHandle ?? '') }).has(
          `${target}|${slotOf(targetHandle ?? '')}`,
        ),
      handleStart,
      handleConnect: ({ source, sourceHandle, target, targetHandle }: Connection) => {
        const pending = { source, outlet: outletOf(sourceHandle ?? '') }
        connect(bench, pending, { target, slot: slotOf(targetHandle ?? '') })
      },
      handleEnd,
      handleClickEnd: () => stopConnecting(bench),
    }
  }, [bench, screenToFlowPosition])
}
