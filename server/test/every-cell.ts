/** A row of a matrix of rights: every actor tries one deed, each at a place of its own. */

type Stage<Actor, Place> = {
  build(actor: Actor): Promise<Place>
  /** All that a deed could change, as one text. */
  stateOf(place: Place): Promise<string>
}
export type Seen = { outcome: string; text: string }

type Cells<Actor, Place> = {
  stage: Stage<Actor, Place>
  actors: readonly Actor[]
  /** Whatever they are answered, it names nothing of the place and changes nothing. */
  outsiders: readonly Actor[]
}

/**
 * Answers for each actor, one after the other, what came of the deed and what else should not have. A place is made anew
 * after whatever changed it; a deed that changed nothing leaves it to the actor's next row.
 */
export function makeCells<Actor extends string, Place extends { mark: string }>({
  stage,
  actors,
  outsiders,
}: Cells<Actor, Place>) {
  const left = new Map<Actor, { at: Place; before: string }>()
  const placeOf = async (actor: Actor) => {
    const known = left.get(actor)
    if (known) return known
    const at = await stage.build(actor)
    return { at, before: await stage.stateOf(at) }
  }
  return async (run: (actor: Actor, at: Place) => Promise<Seen>, isOpen = false) => {
    const outcomes: Record<string, string> = {}
    for (const actor of actors) {
      const { at, before } = await placeOf(actor)
      left.delete(actor)
      const { outcome, text } = await run(actor, at)
      const isRefused = outcome !== '10200'
      const isOutside = outsiders.includes(actor)
      const mustStay = isRefused || (isOutside && !isOpen)
      const hasChanged = (await stage.stateOf(at)) !== before
      if (!hasChanged) left.set(actor, { at, before })
      const isChanged = mustStay && hasChanged
      const told = text.includes(at.mark) && (isRefused || isOutside)
      outcomes[actor] =
        (isRefused ? outcome : 'ok') +
        (isChanged ? ', but something changed' : '') +
        (told ? ', but names were told' : '')
    }
    return outcomes
  }
}
