import { SUMMARY, CONTACT } from "./business";

await client.messaging.v1.tollfreeVerifications.create({
  ...CONTACT,
  businessName: "Fern Cafe LLC",
  businessWebsite: "https://ferncafe.com",
  useCaseSummary: SUMMARY,
  productionMessageSample: "Fern Cafe: your table is free. Reply STOP to opt out.",
});
