/** What the owner made one class of: names of the data to which one name was given. */

export function joinedGroups(classNames: Readonly<Record<string, string>>): string[][] {
  const groups = new Map<string, string[]>()
  for (const [own, name] of Object.entries(classNames)) groups.set(name, [...(groups.get(name) ?? []), own])
  return [...groups.values()].filter((group) => group.length > 1)
}

/** New names for classes as they are called now; what was joined stays so. */
export function renamed(
  classNames: Readonly<Record<string, string>>,
  named: readonly (readonly [now: string, next: string])[],
): Record<string, string> {
  const owners = new Map<string, string[]>()
  for (const [own, name] of Object.entries(classNames)) owners.set(name, [...(owners.get(name) ?? []), own])
  return Object.fromEntries(
    named.flatMap(([now, next]) => {
      const own = owners.get(now) ?? [now]
      return own.length > 1 || own[0] !== next ? own.map((one) => [one, next] as const) : []
    }),
  )
}
