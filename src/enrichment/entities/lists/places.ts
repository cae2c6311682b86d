/** Known places, holidays and named methods, and the words that mark other names as places and events. */
import { phrasesOf, wordSet } from './word-set.js';

/** Names that are found only where the text writes them with capitals. */
export const PLACES = phrasesOf(`
  Afghanistan, Albania, Algeria, Argentina, Armenia, Australia, Austria, Azerbaijan, Bahrain, Bangladesh, Belarus, Belgium, Bolivia
  Bosnia, Botswana, Brazil, Bulgaria, Cambodia, Cameroon, Canada, Chile, China, Colombia, Costa Rica, Croatia, Cuba, Cyprus, Czechia
  Czech Republic, Denmark, Dominican Republic, Ecuador, Egypt, El Salvador, Estonia, Ethiopia, Finland, France, Germany, Ghana, Greece
  Greenland, Guatemala, Haiti, Honduras, Hungary, Iceland, India, Indonesia, Iran, Iraq, Ireland, Israel, Italy, Jamaica, Japan, Kazakhstan
  Kenya, Kosovo, Kuwait, Laos, Latvia, Lebanon, Libya, Lithuania, Luxembourg, Madagascar, Malaysia, Maldives, Malta, Mauritius, Mexico
  Moldova, Monaco, Mongolia, Montenegro, Morocco, Mozambique, Myanmar, Namibia, Nepal, Netherlands, New Zealand, Nicaragua, Nigeria
  North Korea, North Macedonia, Norway, Oman, Pakistan, Palestine, Panama, Paraguay, Peru, Philippines, Poland, Portugal, Puerto Rico, Qatar
  Romania, Russia, Rwanda, Saudi Arabia, Scotland, Senegal, Serbia, Singapore, Slovakia, Slovenia, Somalia, South Africa, South Korea, Spain
  Sri Lanka, Sudan, Sweden, Switzerland, Syria, Taiwan, Tanzania, Thailand, Tunisia, Uganda, Ukraine, UAE, United Arab Emirates, United Kingdom
  United States, Uruguay, Uzbekistan, Venezuela, Vietnam, Wales, England, Yemen, Zambia, Zimbabwe
  Europe, Asia, Africa, Antarctica, South America, North America, Latin America, Middle East, Scandinavia, Caribbean, Mediterranean, Balkans
  Alabama, Alaska, Arizona, Arkansas, California, Colorado, Connecticut, Delaware, Florida, Hawaii, Idaho, Illinois, Indiana, Iowa, Kansas
  Kentucky, Louisiana, Maine, Maryland, Massachusetts, Michigan, Minnesota, Mississippi, Missouri, Montana, Nebraska, Nevada, New Hampshire
  New Jersey, New Mexico, North Carolina, South Carolina, North Dakota, South Dakota, Ohio, Oklahoma, Oregon, Pennsylvania, Rhode Island
  Tennessee, Texas, Utah, Vermont, Virginia, West Virginia, Wisconsin, Wyoming, Ontario, Quebec, British Columbia, Alberta, Nova Scotia
  Bavaria, Saxony, Tuscany, Sicily, Sardinia, Lombardy, Catalonia, Andalusia, Brittany, Provence, Normandy, Corsica, Crete, Bali
  Patagonia, Siberia, Tyrol, Transylvania, Silicon Valley, Bay Area, Black Forest, Yosemite, Yellowstone, Grand Canyon, Everest, Sahara
  Amsterdam, Ankara, Antwerp, Athens, Atlanta, Auckland, Austin, Baghdad, Baltimore, Bangalore, Bengaluru, Bangkok, Barcelona, Basel, Beijing
  Beirut, Belfast, Belgrade, Berlin, Bern, Bilbao, Birmingham, Bogota, Bogotá, Bologna, Bonn, Bordeaux, Boston, Bratislava, Bremen, Brighton
  Brisbane, Bristol, Brno, Bruges, Brussels, Bucharest, Budapest, Buenos Aires, Cairo, Calgary, Cambridge, Canberra, Cape Town, Caracas, Cardiff
  Casablanca, Charleston, Chennai, Chicago, Cincinnati, Cleveland, Cologne, Copenhagen, Córdoba, Dakar, Dallas, Damascus, Delft, Delhi, New Delhi
  Denver, Detroit, Dhaka, Doha, Dortmund, Dresden, Dubai, Dublin, Dubrovnik, Düsseldorf, Eindhoven, Edinburgh, Edmonton, Florence, Frankfurt
  Freiburg, Gdansk, Gdańsk, Geneva, Genoa, Ghent, Glasgow, Gothenburg, Granada, Graz, Grenoble, Guadalajara, Hamburg, Hanoi, Hanover, Havana
  Heidelberg, Helsinki, Hiroshima, Ho Chi Minh City, Hong Kong, Honolulu, Houston, Hyderabad, Innsbruck, Istanbul, Jakarta, Jerusalem
  Johannesburg, Karachi, Karlsruhe, Kathmandu, Kyiv, Kraków, Krakow, Kuala Lumpur, Kyoto, Lagos, Lahore, Las Vegas, Lausanne, Leeds
  Leipzig, Lille, Lima, Linz, Lisbon, Liverpool, Ljubljana, London, Los Angeles, Lyon, Madrid, Malaga, Málaga, Malmö, Manchester, Manila
  Marrakesh, Marseille, Melbourne, Memphis, Mexico City, Miami, Milan, Milwaukee, Minneapolis, Minsk, Montevideo, Montpellier, Montreal
  Montréal, Moscow, Mumbai, Munich, Nairobi, Naples, Nashville, New Orleans, New York, Newcastle, Nottingham, Nuremberg
  Oakland, Odesa, Orlando, Osaka, Oslo, Ottawa, Oxford, Palermo, Paris, Perth, Philadelphia, Pittsburgh, Porto, Portland, Poznan, Prague
  Pristina, Raleigh, Reykjavik, Reykjavík, Riga, Rio de Janeiro, Riyadh, Rome, Rotterdam, Sacramento, Salt Lake City, Salzburg, San Antonio
  San Diego, San Francisco, San Jose, San José, Santiago, São Paulo, Sarajevo, Seattle, Seoul, Seville, Shanghai, Sheffield, Shenzhen, Skopje
  Sofia Airport, Stockholm, Strasbourg, Stuttgart, Sydney, Tallinn, Tampa, Tbilisi, Tehran, Tel Aviv, The Hague, Thessaloniki, Tokyo, Toronto
  Toulouse, Trieste, Turin, Utrecht, Uppsala, Valencia, Vancouver, Venice, Verona, Vienna, Vilnius, Warsaw, Washington, Wellington
  Winnipeg, Wroclaw, Wrocław, Yokohama, Zagreb, Zaragoza, Zurich, Zürich, Manhattan, Hollywood, Santorini, Ibiza, Mallorca, Majorca
  Tenerife, Capri, Machu Picchu, Alps, Andes, Himalayas, Pyrenees, Rockies, Dolomites, Danube, Rhine, Thames, Seine, Nile, Baltic, Balkan
  America, Andorra, Angola, Bahamas, Barbados, Belize, Benin, Bermuda, Bhutan, Brunei, Burkina Faso, Burundi, Cape Verde, Congo, Djibouti, Eritrea
  Fiji, Gabon, Gambia, Gibraltar, Guyana, Ivory Coast, Kyrgyzstan, Lesotho, Liberia, Liechtenstein, Malawi, Mali, Mauritania, Papua New Guinea
  San Marino, Seychelles, Sierra Leone, South Sudan, Suriname, Tajikistan, Togo, Trinidad and Tobago, Turkmenistan, Vanuatu, Vatican, Samoa, Tonga
  Aarhus, Abidjan, Abu Dhabi, Accra, Addis Ababa, Ahmedabad, Albuquerque, Aleppo, Algiers, Almaty, Amman, Anchorage, Arlington, Asunción, Baku
  Banja Luka, Bergen, Brasilia, Brasília, Busan, Bursa, Cancun, Cancún, Catania, Cebu, Chengdu, Chiang Mai, Chongqing, Christchurch, Colombo, Cusco
  Daegu, Dar es Salaam, Durban, Dushanbe, El Paso, Fort Worth, Fresno, Galway, Gaza, Giza, Gold Coast, Guangzhou, Guayaquil, Haifa, Halifax, Hangzhou
  Harare, Heraklion, Incheon, Indianapolis, Islamabad, Izmir, Jaipur, Jeddah, Kabul, Kampala, Kaunas, Kharkiv, Khartoum, Kigali, Kingston
  Kinshasa, Klaipeda, Kobe, Kolkata, Košice, La Paz, Le Mans, Leicester, Liège, Limassol, Long Beach, Luanda, Lucknow, Lusaka, Lviv, Macau, Maribor
  Maputo, Mecca, Medellin, Medellín, Medina, Messina, Miskolc, Mississauga, Mombasa, Monterrey, Muscat, Nagasaki, Nagoya, Nanjing, Nantes
  Novosibirsk, Odessa, Omaha, Padua, Penang, Phnom Penh, Piraeus, Pretoria, Pune, Pyongyang, Qingdao, Quito, Rabat, Recife, Reims, Rennes
  Rijeka, Rio, Saint Petersburg, Salem, San Juan, San Salvador, Santa Barbara, Santa Cruz, Santa Fe, Santa Monica, Santo Domingo, Sapporo, Shenyang
  Siena, Soweto, Suzhou, Taipei, Tallahassee, Tampere, Tangier, Tartu, Tashkent, Tianjin, Tijuana, Tilburg, Timisoara, Tirana, Toulon
  Tripoli, Tromsø, Trondheim, Tucson, Tulsa, Tunis, Turku, Varna, Versailles, Vladivostok, Wichita, Windhoek, Windsor, Wuhan, Xiamen, Yangon, Yerevan
  Zanzibar, Aachen, Augsburg, Bielefeld, Bochum, Braunschweig, Darmstadt, Duisburg, Erfurt, Göttingen, Kassel, Kiel, Lübeck, Magdeburg, Mainz
  Mannheim, Marburg, Münster, Potsdam, Regensburg, Rostock, Saarbrücken, Trier, Tübingen, Ulm, Wiesbaden, Wuppertal, Würzburg
  Coventry, Plymouth, Southampton, Swansea, Aberdeen, Dundee, Inverness, Avignon, Cannes, Monte Carlo, Maastricht, Groningen, Haarlem
  Leiden, Nijmegen, Leuven, Namur, Salamanca, Alicante, Cadiz, Murcia, Palma, Braga, Coimbra, Bergamo, Brescia, Modena, Parma, Perugia, Pisa
  Ravenna, Rimini, Syracuse, Amalfi, Cinque Terre, Lake District, Cornwall, Yorkshire, Brooklyn, Bronx, Harlem, Soho, Phoenix
`);

/** Other spellings, each with the name whose tag it shares. */
export const PLACE_ALIASES: Readonly<Record<string, string>> = {
  NYC: 'New York',
  'New York City': 'New York',
  USA: 'United States',
  'United States of America': 'United States',
  UK: 'United Kingdom',
  München: 'Munich',
  Köln: 'Cologne',
  Wien: 'Vienna',
  Kiev: 'Kyiv',
  Hannover: 'Hanover',
  Peking: 'Beijing',
  'Washington DC': 'Washington',
};

/** Places whose names are also ordinary words or given names. */
export const WORDLIKE_PLACES = phrasesOf('Turkey, Georgia, Jordan, Chad, Guinea');

/** Given names that mean a place after "in", "to", "from" and similar words. */
export const PLACES_NAMED_AS_PEOPLE = wordSet(
  'sofia austin charlotte jackson jordan madison victoria brooklyn savannah georgia carolina virginia chelsea adelaide alexandria jersey devon houston lourdes chester',
);

export const HOLIDAYS = phrasesOf(`
  Christmas, Christmas Eve, Christmas Day, Xmas, Easter, Easter Monday, Good Friday, Halloween, Thanksgiving, New Year, New Year's Eve
  New Year's Day, Lunar New Year, Chinese New Year, Valentine's Day, Mother's Day, Father's Day, Hanukkah, Passover, Yom Kippur
  Rosh Hashanah, Purim, Ramadan, Eid, Eid al-Fitr, Diwali, Holi, Navratri, Nowruz, Kwanzaa, Oktoberfest, Mardi Gras, Carnival, St. Patrick's Day
  Independence Day, Labor Day, Labour Day, Memorial Day, Veterans Day, Juneteenth, Boxing Day, Bastille Day, Black Friday, Cyber Monday
  Earth Day, Pride Month, Pentecost, Ascension Day, Epiphany, Songkran, Midsummer, Olympics, World Cup, Super Bowl, Euro Cup, Eurovision
`);

/** Working methods with a name. */
export const METHODS = phrasesOf(`
  Scrum, Kanban, Pomodoro, TDD, BDD, GTD, OKRs, OKR, CQRS, CRDT, CRDTs, Six Sigma, Gitflow, Zettelkasten, Montessori, Pilates, Reiki
  Conventional Commits, Bauhaus, Feng Shui, Bullet Journal
`);

/** Last words that mark capitalised words as a place. */
export const PLACE_ENDINGS = wordSet(`
  street avenue road square boulevard lane bridge park beach island islands lake river bay mountain mountains valley canyon
  falls forest desert coast harbor harbour airport station castle palace cathedral abbey gardens garden zoo stadium arena
  peninsula county province district plaza tower national reef hills towers
`);
/** Last words that mark a place even if only ordinary words stand before them: "Baker Street". */
export const STREET_ENDINGS = wordSet('street avenue boulevard square');
export const PLACE_BEGINNINGS = wordSet('mount lake mt cape port fort loch lago monte río isla île');

/** Last words that mark capitalised words as an event. */
export const EVENT_ENDINGS = wordSet(`
  festival conference summit parade marathon hackathon olympics cup expo fair awards convention symposium congress
  championship championships biennale carnival triathlon gala concert
`);
export const EVENT_NAMES = /^\p{Lu}[\p{L}]{1,12}(?:Con|Conf|Camp|Fest)$/u;
