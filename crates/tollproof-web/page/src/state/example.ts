// The example of a first visit: a business that does not exist, with mistakes that show what the page is for.

import type { Json } from '../draft/pointer';

/** The provider of a first visit, and of the example. */
export const FIRST_PROVIDER = 'twilio';

export const EXAMPLE: Json = {
  BusinessName: 'Quillbrook Bakery LLC',
  BusinessWebsite: 'www.quillbrookbakery.com',
  BusinessType: 'PRIVATE_PROFIT',
  NotificationEmail: 'orders@quillbrookbakery.com',
  BusinessContactFirstName: 'Marta',
  BusinessContactLastName: 'Lindqvist',
  BusinessContactEmail: 'marta@quillbrookbakery.com',
  BusinessContactPhone: '+16082448137',
  BusinessStreetAddress: '214 Atwood Avenue',
  BusinessCity: 'Madison',
  BusinessStateProvinceRegion: 'WI',
  BusinessPostalCode: '53704',
  BusinessCountry: 'US',
  BusinessRegistrationNumber: '39-2847165',
  BusinessRegistrationAuthority: 'EIN',
  BusinessRegistrationCountry: 'US',
  UseCaseCategories: ['DELIVERY_NOTIFICATIONS'],
  UseCaseSummary:
    'Quillbrook Bakery tells customers who ordered a cake when it is ready and when it is delivered. Customers opt in with an optional box when they order on our website.',
  ProductionMessageSample: 'Quillbrook Bakery: your cake arrives today between 2 and 4 PM.',
  OptInType: 'WEB_FORM',
  OptInImageUrls: ['https://www.quillbrookbakery.com/images/order-text-box.png'],
  AdditionalInformation:
    'Customers order at https://www.quillbrookbakery.com/order, enter their mobile number and may tick an optional box, unchecked by default and separate from our terms: "I agree to receive texts about my order from Quillbrook Bakery. Up to 3 messages per order. Msg & data rates may apply. Reply STOP to opt out, HELP for help." The box is not required to order. No mobile information will be shared with third parties or affiliates for marketing purposes.',
  PrivacyPolicyUrl: 'https://www.quillbrookbakery.com/privacy',
  TermsAndConditionsUrl: 'https://www.quillbrookbakery.com/text-terms',
  MessageVolume: '1,000',
  TollfreePhoneNumberSid: 'PN7d20c94ab61e4f38a5d90b6e12c87f34',
};
