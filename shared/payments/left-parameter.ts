/** The parameter of the address to which Stripe's hosted page leads back a member who has not paid. */
export const LEFT_PARAMETER = 'unpaid';
