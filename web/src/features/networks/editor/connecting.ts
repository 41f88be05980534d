/** Drawing connections, by keyboard as by mouse, and taking them away. */

import type { Vocabulary } from '@neuroloom/contract/network/document/canonical'
import type { Document } from '@neuroloom/contract/network/document/document'
import { connect as connectNode, disconnect as disconnectNode } from '@neuroloom/contract/network/edit/edit'
import { connectHead, setOutput } from '@neuroloom/contract/network/edit/frame'
import { keepOutput } from '@neuroloom/contract/network/edit/graph'
import { removePort } from '@neuroloom/contract/network/edit/ports'
import { headOutlets } from '@neuroloom/contract/network/resolve/heads'
import { fitsFrom } from '../canvas/fitting.ts'
import type { Item } from '../canvas/things.ts'
import { centreOf, type Direction } from '../canvas/walk.ts'
import { portName } from '../panels/settings/port-name.ts'
import { nameOf, onlyOne, refTo, scopeOf } from './chosen.ts'
import { focusOn } from './commands.ts'
import type { Pending } from './screen.ts'
import { refuse, tell } from './tell.ts'
import type { Workbench } from './workbench.ts'

interface Place {
  target: string
  slot: number
}

/** A connection begins: all ports are asked once which of them fit. */
export function startConnecting(bench: Workbench, pending: Pending): void {
  const fits = fitsFrom(bench.scene, bench.store.getState(), pending)
  bench.screen.getState().set({ pending, fits, aim: null })
}

export function stopConnecting(bench: Workbench): void {
  if (bench.screen.getState().fits !== null)
    bench.screen.getState().set({ pending: null, fits: null, aim: null })
}

/** From the chosen node; the nearest fitting port is aimed at first. */
export function connectByKeys(bench: Workbench): void {
  const item = onlyOne(bench)
  if (item === null || item.outlets.length === 0) {
    refuse(bench, 'connectWhat')
    return
  }
  if (item.isReadOnly) {
    refuse(bench, 'readOnly')
    return
  }
  startConnecting(bench, { source: item.path, outlet: item.outlets[0] ?? '' })
  const [first] = targets(bench)
  if (first === undefined) {
    stopConnecting(bench)
    refuse(bench, 'nothingFits')
    return
  }
  aimAt(bench, first)
}

/** Down and right lead to the next fitting port, up and left back; a node with several outputs goes on with its next one. */
export function aimFurther(bench: Workbench, direction: Direction): void {
  const { aim, pending } = bench.screen.getState()
  const all = targets(bench)
  const at = all.findIndex(({ target, slot }) => target === aim?.target && slot === aim.slot)
  const step = direction === 'down' || direction === 'right' ? 1 : -1
  const next = all[at + step]
  if (next !== undefined) {
    aimAt(bench, next)
    return
  }
  const source = pending === null ? undefined : bench.scene.byPath.get(pending.source)
  const outlets = source?.outlets ?? []
  const outlet = outlets[(outlets.indexOf(pending?.outlet ?? '') + step + outlets.length) % outlets.length]
  if (source !== undefined && outlet !== undefined) startConnecting(bench, { source: source.path, outlet })
  const round = targets(bench)
  const end = step === 1 ? round[0] : round.at(-1)
  if (end !== undefined) aimAt(bench, end)
}

export function connectAimed(bench: Workbench): void {
  const { aim, pending } = bench.screen.getState()
  if (aim === null || pending === null) return
  connect(bench, pending, aim)
  focusOn(bench, [pending.source])
}

/** Also ends drawing. Refuses what does not fit, in words. */
export function connect(bench: Workbench, pending: Pending, { target, slot }: Place): void {
  const fits = bench.screen.getState().fits ?? fitsFrom(bench.scene, bench.store.getState(), pending)
  const [from, to] = [bench.scene.byPath.get(pending.source), bench.scene.byPath.get(target)]
  stopConnecting(bench)
  if (from === undefined || to === undefined) return
  if (!fits.has(`${target}|${slot}`)) {
    refuse(bench, from.parent === to.parent ? 'misfit' : 'otherGraph')
    return
  }
  const { edit, vocabulary } = bench.store.getState()
  const scope = scopeOf(bench.store.getState(), to.parent)
  if (scope === undefined) {
    refuse(bench, 'readOnly')
    return
  }
  const source = refTo(from, pending.outlet)
  edit((document) => lead(document, scope, { source, item: to, slot }, vocabulary))
  tell(bench, 'connected', { from: from.id, to: to.id })
}

export function disconnect(bench: Workbench, { target, slot }: Place): void {
  const item = bench.scene.byPath.get(target)
  if (item === undefined) return
  const scope = scopeOf(bench.store.getState(), item.parent)
  if (scope === undefined || item.isReadOnly) {
    refuse(bench, 'readOnly')
    return
  }
  const { document, edit, vocabulary } = bench.store.getState()
  // An output of a block is what leads into it: who reads it elsewhere loses it too.
  if (item.kind === 'outlet' && scope !== null) {
    const rest = removePort(document, { block: scope, side: 'output', name: nameOf(item) }, vocabulary)
    if ('refused' in rest) {
      refuse(bench, `port.${rest.refused}`, { block: rest.block })
      return
    }
    edit(() => rest.document)
  } else {
    edit((before) =>
      item.kind === 'head'
        ? headWith(before, item, slot, null)
        : disconnectNode(before, scope, { target: item.id, slot }, vocabulary),
    )
  }
  tell(bench, 'disconnected', { name: item.id })
}

/** Ends an edge at a node, a head or an output of the block. */
function lead(
  document: Document,
  scope: string | null,
  { source, item, slot }: { source: string; item: Item; slot: number },
  vocabulary: Vocabulary,
): Document {
  if (item.kind === 'head') return headWith(document, item, slot, source)
  if (item.kind !== 'outlet') {
    return connectNode(document, scope, { source, target: item.id, slot }, vocabulary)
  }
  if (scope === null) return document
  const isNamed = document.blocks.get(scope)?.outputs !== undefined
  return isNamed ? setOutput(document, scope, nameOf(item), source) : keepOutput(document, scope, source)
}

function headWith(document: Document, item: Item, slot: number, source: string | null): Document {
  const head = document.heads.get(nameOf(item))
  if (head === undefined) return document
  const outlet = headOutlets(head)[slot]?.outlet ?? ''
  return connectHead(document, { head: nameOf(item), outlet, source })
}

/** Fitting ports, the nearest first; free ones before those that are taken. */
function targets({ screen, scene }: Workbench): Place[] {
  const { fits, pending } = screen.getState()
  const source = pending === null ? undefined : scene.byPath.get(pending.source)
  if (fits === null || source === undefined) return []
  const [x, y] = centreOf(scene, source)
  return [...fits]
    .flatMap((key) => {
      const bar = key.lastIndexOf('|')
      const item = scene.byPath.get(key.slice(0, bar))
      return item === undefined ? [] : { item, slot: Number(key.slice(bar + 1)) }
    })
    .map(({ item, slot }) => {
      const [tx, ty] = centreOf(scene, item)
      const isTaken = (item.slots[slot]?.ref ?? null) !== null
      return { target: item.path, slot, isTaken, far: Math.hypot(tx - x, ty - y) }
    })
    .sort((a, b) => Number(a.isTaken) - Number(b.isTaken) || a.far - b.far)
}

function aimAt(bench: Workbench, { target, slot }: Place): void {
  bench.screen.getState().set({ aim: { target, slot } })
  bench.view?.show(target)
  const item = bench.scene.byPath.get(target)
  tell(bench, 'aimed', { name: item?.id ?? '', port: portName(item?.slots[slot]?.port ?? null, slot) })
}
