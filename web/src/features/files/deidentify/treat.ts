/** Walks through a data set and writes it anew as the profile says; whatever stays is copied byte for byte. */
import { type Rule, ruleOf } from '@neuroloom/contract/privacy/confidentiality-profile'
import { ascii, dummySequence, dummyValue } from './dummies.ts'
import {
  type Encoding,
  element,
  elementHeader,
  type Header,
  implicitLittle,
  itemEndTag,
  itemTag,
  readHeader,
  sequenceEndTag,
} from './encoding.ts'
import { type Facts, factTags, isPixels, makeFacts, nameTags, patientTags, tags } from './facts.ts'
import type { Mark } from './marks.ts'
import { Output } from './output.ts'
import { Refusal } from './refusal.ts'
import type { Source } from './source.ts'
import { Tally } from './tally.ts'
import type { Identifiers } from './uids.ts'
import { binaryText, looksLikeText } from './words.ts'

export type Task = {
  source: Source
  start: number
  encoding: Encoding
  identifiers: Identifiers
  marks: readonly Mark[]
  /** Whether a kept text names somebody; null = no names are known. */
  namesSomebody: ((value: Uint8Array) => boolean) | null
}
export type Treated = { output: Output; tally: Tally; facts: Facts }

export function treat(task: Task): Treated {
  const treatment = new Treatment(task)
  const output = new Output()
  treatment.dataSet(
    { start: task.start, end: task.source.length, isOpen: false, depth: 0 },
    task.encoding,
    output,
  )
  return { output, tally: treatment.tally, facts: treatment.facts }
}

/** Where a data set lies; an open one ends with a delimiter. */
type Span = { start: number; end: number; isOpen: boolean; depth: number }

/** No real object comes near: deep structured reports nest about fifteen sequences. */
const mostDepth = 48
const mostElements = 8_000_000
/** Longer texts are documents, not descriptions; the profile lists those. */
const mostTextBytes = 1024 * 1024

const textKinds = new Set(['AE', 'LO', 'LT', 'SH', 'ST', 'UC', 'UR', 'UT'])
/** Numbers that every reader of pixels relies on; of another kind they are a trap, not a picture. */
const shortNumbers = new Set([
  0x00280002, 0x00280010, 0x00280011, 0x00280100, 0x00280101, 0x00280102, 0x00280103,
])

class Treatment {
  readonly tally = new Tally()
  readonly facts = makeFacts()
  private readonly task: Task
  private readonly marks: Mark[]
  private elements = 0

  constructor(task: Task) {
    this.task = task
    this.marks = [...task.marks]
  }

  /** Returns where the data set ends, its delimiter included. */
  dataSet(span: Span, encoding: Encoding, out: Output | null): number {
    if (span.depth > mostDepth) throw new Refusal('nested')
    let offset = span.start
    while (offset < span.end) {
      if (span.depth === 0 && this.isPadding(offset)) break
      const header = readHeader(this.task.source, offset, span.end, encoding)
      if (header.tag === itemEndTag && span.isOpen) return header.valueStart
      if (header.tag >>> 16 === 0xfffe) throw new Refusal('broken', 'delimiter')
      this.elements += 1
      if (this.elements > mostElements) throw new Refusal('nested')
      offset = this.element(header, span, encoding, out)
    }
    if (span.isOpen) throw new Refusal('truncated', 'delimiter')
    if (span.depth === 0 && out) for (const mark of this.marks.splice(0)) this.writeMark(mark, null, out)
    return offset
  }

  private element(header: Header, span: Span, encoding: Encoding, out: Output | null): number {
    const end = this.endOf(header, span, encoding)
    if (!out) return end
    const { tag } = header
    if (span.depth === 0) {
      this.learn(header, end)
      if (this.passMarks(header, end, out)) return end
    }
    const group = tag >>> 16
    if (group % 2 === 1) this.tally.notePrivate()
    // Lengths of groups would no longer be true; the standard has given them up.
    else if ((tag & 0xffff) === 0 && group !== 0) this.tally.changes += 1
    else this.follow(this.ruleFor(header), { header, end, span, encoding, out })
    return end
  }

  private ruleFor({ tag, vr }: Header): Rule | null {
    const rule = ruleOf(tag)
    if (rule || vr !== 'PN') return rule
    return { action: 'Z', vr, name: '', isBeyond: true }
  }

  private follow(rule: Rule | null, place: Place) {
    const { header, end, out } = place
    const isEmpty = header.length === 0
    switch (rule?.action) {
      case 'X':
        this.tally.note(header.tag, 'removed', rule.name)
        return
      case 'Z':
      case 'X/Z':
        if (isEmpty) return out.copy(header.start, end)
        return this.empty(place, 'emptied', rule.name)
      case 'D':
      case 'X/D':
      case 'Z/D':
      case 'X/Z/D':
        if (isEmpty) return out.copy(header.start, end)
        return this.replace(rule, place)
      case 'U':
        if (isEmpty) return out.copy(header.start, end)
        return this.exchange(rule, place)
      case 'X/Z/U*':
      case undefined:
        return this.keep(place)
    }
  }

  private empty({ header, encoding, out }: Place, action: 'emptied' | 'cleared', name: string | null) {
    this.tally.note(header.tag, action, name || null)
    out.bytes(elementHeader({ ...header, encoding }, 0))
  }

  private replace(rule: Rule, place: Place) {
    const { header, end, encoding, out } = place
    const isKnown = header.vr !== '' && header.vr !== 'UN'
    const vr = isKnown ? header.vr : rule.vr
    if (vr === 'UI') return this.exchange(rule, place)
    const kind = { tag: header.tag, vr, encoding }
    const written = vr === 'SQ' ? dummySequence(kind) : element(kind, this.standIn(header, vr))
    this.write(written, place, end, () => this.tally.note(header.tag, 'replaced', rule.name), out)
  }

  private standIn(header: Header, vr: string): Uint8Array {
    const length = header.length ?? 0
    if (header.tag !== tags.patientId) return dummyValue(vr, length)
    return ascii(this.task.identifiers.patient(this.textAt(header)))
  }

  private exchange(rule: Rule, place: Place) {
    const { header, end, encoding, out } = place
    const old = this.textAt(header)
    const fresh = old.split('\\').map((uid) => (uid === '' ? '' : this.task.identifiers.uid(uid)))
    const written = element({ tag: header.tag, vr: header.vr || 'UI', encoding }, ascii(fresh.join('\\')))
    this.write(written, place, end, () => this.tally.note(header.tag, 'newUid', rule.name), out)
  }

  /** Counts as a change only where the bytes differ. */
  private write(
    written: Uint8Array<ArrayBuffer>,
    { header }: Place,
    end: number,
    note: () => void,
    out: Output,
  ) {
    if (this.isSame(written, header.start, end)) return out.copy(header.start, end)
    note()
    out.bytes(written)
  }

  private keep(place: Place) {
    const { header, end, encoding, span, out } = place
    if (this.isSequence(header, encoding)) return this.rewrite(place)
    if (this.task.namesSomebody && this.isText(header)) {
      const value = this.task.source.read(header.valueStart, end - header.valueStart)
      if (this.task.namesSomebody(value)) return this.empty(place, 'cleared', null)
    }
    if (span.depth === 0 && encoding.isExplicit && shortNumbers.has(header.tag) && header.vr !== 'US') {
      throw new Refusal('broken', 'kind of number')
    }
    out.copy(header.start, end)
  }

  private isText({ vr, length, valueStart }: Header): boolean {
    if (length === null || length < 3 || length > mostTextBytes) return false
    if (textKinds.has(vr)) return true
    return (vr === '' || vr === 'UN') && looksLikeText(this.task.source.read(valueStart, length))
  }

  /** The sequence with its items treated, or a copy where nothing in it changed. */
  private rewrite({ header, end, span, encoding, out }: Place) {
    const before = this.tally.changes
    const content = new Output()
    this.items(header, span, encoding, content)
    if (this.tally.changes === before) return out.copy(header.start, end)
    const isOpen = header.length === null
    out.bytes(elementHeader({ ...header, encoding }, isOpen ? null : content.size))
    out.append(content)
    if (isOpen)
      out.bytes(elementHeader({ tag: sequenceEndTag, vr: '', encoding: inner(header, encoding) }, 0))
  }

  /** Goes through the items of a sequence; returns where it ends. */
  private items(header: Header, span: Span, outer: Encoding, out: Output | null): number {
    const encoding = inner(header, outer)
    const end = header.length === null ? span.end : header.valueStart + header.length
    let offset = header.valueStart
    while (offset < end) {
      const item = readHeader(this.task.source, offset, end, encoding)
      if (item.tag === sequenceEndTag && header.length === null) return item.valueStart
      if (item.tag !== itemTag) throw new Refusal('broken', 'item')
      this.elements += 1
      offset = this.item(item, { end, depth: span.depth }, encoding, out)
    }
    if (header.length === null) throw new Refusal('truncated', 'delimiter')
    return offset
  }

  private item(
    item: Header,
    { end, depth }: { end: number; depth: number },
    encoding: Encoding,
    out: Output | null,
  ): number {
    const isOpen = item.length === null
    const itemEnd = item.length === null ? end : item.valueStart + item.length
    if (itemEnd > end) throw new Refusal(itemEnd > this.task.source.length ? 'truncated' : 'broken', 'item')
    const content = out && new Output()
    const span = { start: item.valueStart, end: itemEnd, isOpen, depth: depth + 1 }
    const offset = this.dataSet(span, encoding, content)
    if (out && content) {
      out.bytes(elementHeader({ tag: itemTag, vr: '', encoding }, isOpen ? null : content.size))
      out.append(content)
      if (isOpen) out.bytes(elementHeader({ tag: itemEndTag, vr: '', encoding }, 0))
    }
    return offset
  }

  private endOf(header: Header, span: Span, encoding: Encoding): number {
    const { length, valueStart, tag, vr } = header
    if (length === null) {
      if (isPixels(tag) && vr !== 'SQ') return this.endOfFragments(header, span, encoding)
      if (vr !== '' && vr !== 'SQ' && vr !== 'UN') throw new Refusal('broken', 'length')
      return this.items(header, span, encoding, null)
    }
    const end = valueStart + length
    if (end > this.task.source.length) throw new Refusal('truncated')
    if (end > span.end) throw new Refusal('broken', 'length')
    return end
  }

  private endOfFragments({ valueStart }: Header, span: Span, encoding: Encoding): number {
    let offset = valueStart
    while (offset < span.end) {
      const item = readHeader(this.task.source, offset, span.end, encoding)
      if (item.tag === sequenceEndTag) return item.valueStart
      if (item.tag !== itemTag || item.length === null) throw new Refusal('broken', 'fragment')
      offset = item.valueStart + item.length
    }
    throw new Refusal('truncated', 'fragment')
  }

  /** Without a known kind, what begins like an item is one. */
  private isSequence({ tag, vr, length, valueStart }: Header, encoding: Encoding): boolean {
    if (isPixels(tag)) return false
    if (vr === 'SQ' || length === null) return true
    if ((vr !== '' && vr !== 'UN') || length < 8) return false
    const first = this.task.source.read(valueStart, 4)
    const { isLittle } = vr === 'UN' ? implicitLittle : encoding
    return isLittle
      ? first[0] === 0xfe && first[1] === 0xff && first[2] === 0x00 && first[3] === 0xe0
      : first[0] === 0xff && first[1] === 0xfe && first[2] === 0xe0 && first[3] === 0x00
  }

  private learn(header: Header, end: number) {
    const { tag, length, valueStart } = header
    if (isPixels(tag)) this.facts.pixels = { start: valueStart, end }
    if (length === null || length === 0) return
    if (factTags.has(tag)) this.facts.texts.set(tag, this.textAt(header))
    if (nameTags.has(tag) && length <= mostTextBytes) {
      const value = this.task.source.read(valueStart, length).slice()
      this.facts.names.push(value)
      if (patientTags.has(tag)) this.facts.patient.push(value)
    }
    const isOverlayPosition = (tag & 0xffff) === 0x0102 && tag >>> 24 === 0x60
    if (isOverlayPosition && length === 2) {
      this.facts.hasOverlayInPixels ||= this.task.source.read(valueStart, 2).some((byte) => byte !== 0)
    }
  }

  /** Writes the marks whose turn it is; true when this element is one of them and thereby done. */
  private passMarks({ tag, start }: Header, end: number, out: Output): boolean {
    const isMark = this.task.marks.some((mark) => mark.tag === tag)
    for (let next = this.marks[0]; next && next.tag <= tag; next = this.marks[0]) {
      this.marks.shift()
      this.writeMark(next, next.tag === tag ? { start, end } : null, out)
    }
    return isMark
  }

  private writeMark({ bytes }: Mark, old: { start: number; end: number } | null, out: Output) {
    if (!old || !this.isSame(bytes, old.start, old.end)) this.tally.changes += 1
    out.bytes(bytes)
  }

  private isPadding(offset: number): boolean {
    const { source } = this.task
    const left = source.length - offset
    if (source.read(offset, Math.min(4, left)).some((byte) => byte !== 0)) return false
    // Nothing begins with the tag (0000,0000) but a command, which no file holds.
    for (let from = offset; from < source.length; from += 65_536) {
      if (source.read(from, Math.min(65_536, source.length - from)).some((byte) => byte !== 0)) return false
    }
    return true
  }

  private isSame(bytes: Uint8Array, start: number, end: number): boolean {
    if (end - start !== bytes.length) return false
    const there = this.task.source.read(start, bytes.length)
    return bytes.every((byte, index) => byte === there[index])
  }

  private textAt({ valueStart, length }: Header): string {
    const value = this.task.source.read(valueStart, Math.min(length ?? 0, mostTextBytes))
    return binaryText(value)
      .replace(/[\0 ]+$/, '')
      .trimStart()
  }
}

type Place = { header: Header; end: number; span: Span; encoding: Encoding; out: Output }

/** Sequences of unknown kind are always written implicitly (PS3.5, 6.2.2). */
const inner = ({ vr }: Header, outer: Encoding): Encoding => (vr === 'UN' ? implicitLittle : outer)
