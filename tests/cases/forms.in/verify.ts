// Asks Twilio to verify our number.
const SITE = 'https://ferncafe.com';

await client.messaging.v1.tollfreeVerifications.create({
  businessName: 'Fern Cafe LLC',
  businessWebsite: SITE,
  notificationEmail: process.env.MAIL ?? 'ferncafe@gmail.com',
  useCaseCategories: ['CUSTOMER_CARE'],
  useCaseSummary: 'Guests who asked for it get a text when their table is free. ' +
    'The box on our booking page is empty at first.',
  productionMessageSample: `Fern Cafe: table ${table} is free. Reply STOP to opt out.`,
  optInImageUrls: [`${SITE}/booking-box.png`],
  optInType: 'WEB_FORM',
  messageVolume: '100',
  tollfreePhoneNumberSid: number.sid,
});
