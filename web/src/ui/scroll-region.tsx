import type { ReactNode } from 'react'

type Props = {
  /** What screen readers call it: usually what the table in it shows. */
  name: string
  className: string | undefined
  children: ReactNode
}

/** Wide things move by themselves, also by the keyboard. Of a table with many columns the first one stays on a phone (theme.css). */
export function ScrollRegion({ name, className, children }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className={className} aria-label={name} tabIndex={0} data-scrolls="">
      {children}
    </section>
  )
}
