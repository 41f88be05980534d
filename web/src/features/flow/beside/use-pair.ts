import { useCallback, useState } from 'react'
import { type Choice, type Start, settled, startChoice } from '../viewer/choice.ts'
import type { FlowWorker } from '../viewer/numbers/ask-worker.ts'
import type { Facts } from '../viewer/numbers/asks.ts'
import { usePlay } from '../viewer/use-play.ts'
import { followed } from './follow.ts'

/** One of two that are looked at together. */
export type Side = { key: string; name: string; facts: Facts; worker: FlowWorker; frame?: number }
export type Two<One> = readonly [One, One]
export type At = 0 | 1
export type Edit = (choice: Choice) => Choice

type Given = { sides: Two<Side>; start: Start | undefined; hasOwnTimes: boolean }
type State = { choices: Two<Choice>; isLinked: boolean }

/** What is chosen for both; while they are linked, what is done to one is done to the other. `hasOwnTimes`: two moments of one study. */
export function usePair({ sides, start, hasOwnTimes }: Given) {
  const [{ choices, isLinked }, setState] = useState<State>(() => begun({ sides, start, hasOwnTimes }))
  const [{ head: first }, { head: second }] = [sides[0].facts, sides[1].facts]
  const change = useCallback(
    (at: At, made: Edit) =>
      setState((before) => edited(before, { heads: [first, second], at, made, hasOwnTimes })),
    [first, second, hasOwnTimes],
  )
  const setFirst = useCallback((frame: number) => change(0, (choice) => ({ ...choice, frame })), [change])
  const setSecond = useCallback((frame: number) => change(1, (choice) => ({ ...choice, frame })), [change])
  const plays = [
    usePlay({ head: first, frame: choices[0].frame, setFrame: setFirst }),
    usePlay({ head: second, frame: choices[1].frame, setFrame: setSecond }),
  ] as const
  const setLinked = (isOn: boolean) => {
    plays[1].stop()
    setState((before) => {
      const after = { ...before, isLinked: isOn }
      // The second comes to where the first is.
      const heads = [first, second] as const
      return isOn ? edited(after, { heads, at: 0, made: (choice) => choice, hasOwnTimes }) : after
    })
  }
  return { choices, isLinked, setLinked, edit: change, plays }
}

function begun({ sides: [one, other], start, hasOwnTimes }: Given): State {
  const looker = ({ facts, frame }: Side) => ({
    head: facts.head,
    choice: { ...startChoice(facts, start), ...(frame === undefined ? {} : { frame }) },
  })
  const from = looker(one)
  const second = followed(from, looker(other), { isPlaceLinked: true, isTimeLinked: !hasOwnTimes })
  return { choices: [from.choice, second], isLinked: true }
}

type Editing = { heads: Two<Facts['head']>; at: At; made: Edit; hasOwnTimes: boolean }

function edited(state: State, { heads, at, made, hasOwnTimes }: Editing): State {
  const away = at === 0 ? 1 : 0
  const own = settled(heads[at], made(state.choices[at]))
  const link = { isPlaceLinked: state.isLinked, isTimeLinked: state.isLinked && !hasOwnTimes }
  const its = followed(
    { head: heads[at], choice: own },
    { head: heads[away], choice: state.choices[away] },
    link,
  )
  return { ...state, choices: at === 0 ? [own, its] : [its, own] }
}
