/** What a broken page shows instead of itself; the frame around it stays usable. */
import { useEffect } from 'react'
import { useRevalidator, useRouteError } from 'react-router'
import { ErrorState } from './error-state.tsx'
import { Page } from './page.tsx'

export function PageBoundary() {
  const error = useRouteError()
  const { revalidate } = useRevalidator()
  useEffect(() => console.error(error), [error])
  // A chunk of an older build is gone after an update: only a fresh page can load it.
  const retry = () => (isLostChunk(error) ? window.location.reload() : void revalidate())
  return (
    <Page>
      <ErrorState error={error} retry={retry} />
    </Page>
  )
}

const isLostChunk = (error: unknown): boolean =>
  error instanceof TypeError && /import|module|fetch/i.test(error.message)
