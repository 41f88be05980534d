import { ContactPage } from './contact-page.tsx'
import { MessageForm } from './message-form.tsx'

/** Leaves a message; the address is spelled as the specification has it. */
export function Concat() {
  return (
    <ContactPage name="concat">
      <MessageForm kind="message" />
    </ContactPage>
  )
}
