import { describe, expect, test } from 'vitest';
import { foldText } from '../../../daemon/waiting-room/parse/normalise-text';
import { readButton, readStockLine } from '../../../daemon/judging/product/words/stock-words';

type Kind = 'buy' | 'pre' | 'tell' | 'draw' | 'in' | 'few' | 'out' | 'soon' | 'back' | 'stores' | 'gone';

/** What shops of ten countries write, by what it means; phrases are separated by `|`. */
const PHRASES: Record<string, Record<Kind, string>> = {
  en: {
    buy: 'Add to basket|Add to bag|Add to cart|Add to trolley|Buy now|Buy it now|Order now|Add to order|Buy|Purchase|Add 1 to basket|Add|Put in basket|Add to my bag',
    pre: 'Pre-order|Preorder now|Pre-order for 5 February',
    tell: 'Notify me|Email me when available|Join the waitlist|Notify me when back in stock|Register interest|Get restock alert|Let me know|Alert me when in stock|Remind me|Keep me updated|Request restock|Sign up for stock alerts|Get notified|Add me to the waiting list',
    draw: 'Enter the draw|Enter raffle|Join the ballot|Enter the lottery|Request an invitation',
    in: 'In stock|Available now|Availability: In stock|In stock, ready to ship|12 in stock|Stock: 14|Available for delivery|In stock online|Ready for dispatch|In stock and ready to post|Available to order online|Usually dispatched within 24 hours|Ready to post',
    few: 'Only 2 left|Low stock|Last one|Only a few left|Hurry, only 3 left in stock|Limited stock|Nearly gone|Last few remaining|1 left|Selling fast - 4 left',
    out: 'Out of stock|Sold out|Currently unavailable|Temporarily out of stock|Not in stock|Not available|Out of stock online|Sorry, sold out|0 in stock|Stock: 0|Availability: Out of stock|This item has sold|We are out of this one|All sold|None left|Currently sold out|This deal has expired|This offer has ended|This drop is over|Sold to a collector in Leeds|No stock|Home delivery: unavailable|Awaiting restock|Back soon|We have run out|Not currently stocked|Not for sale|Unavailable|Pre-orders are closed|Pre-order allocation full|Not available for home delivery or collection|Completely sold out|Every copy has gone|You missed this one|Limit reached|Stock has run out|Orders closed',
    soon: 'Coming soon|Available soon|Launching Friday|On sale Friday at 10am|Drops 5 December|Opens in 2 days|Available in 2 days 4 hours|Sale starts tomorrow|Not yet released|Goes on sale 5 December|Unlocks at 10:00',
    back: 'Available on backorder|On back order|Ships in 3 weeks|Order now, dispatched when back in stock|Usually dispatched within 3 to 4 weeks|Made to order|To order: 2-3 weeks|Backordered|Allow 21 days for delivery from the publisher',
    stores:
      'In store only|Click and collect only|Only available in store|Collection only|Not available online|Available in store only|Exclusive to our shops|Cannot be ordered online|Sold in our shops only|Pick up in store only|Not for home delivery, collect in store',
    gone: 'Discontinued|This product has been discontinued|We no longer sell this|No longer stocked|End of line - will not be restocked|Retired product|This product has been retired|This line has been withdrawn',
  },
  de: {
    buy: 'In den Warenkorb|In den Einkaufswagen|Jetzt kaufen|Kaufen|Sofort kaufen|Zum Warenkorb hinzufügen|In den Korb|In die Einkaufstasche|Jetzt bestellen|Zur Tasche hinzufügen|Bestellen|In Warenkorb legen|Jetzt zugreifen',
    pre: 'Vorbestellen|Jetzt vorbestellen|Vorbestellung|Jetzt reservieren',
    tell: 'Benachrichtigen, wenn verfügbar|E-Mail bei Verfügbarkeit|Benachrichtige mich|Auf die Warteliste|Erinnere mich|Informiert mich, sobald lieferbar|Vormerken|Verfügbarkeit melden|Bei Verfügbarkeit informieren|Lagerbenachrichtigung aktivieren|Bescheid geben|Sag mir Bescheid',
    draw: 'An der Verlosung teilnehmen|Zur Verlosung',
    in: 'Auf Lager|Sofort lieferbar|Sofort verfügbar|Vorrätig|Lieferbar|Lieferzeit 1-3 Tage|Am Lager|Auf Lager: 12 Stück|Sofort versandfertig|Lagernd|Noch verfügbar|Versandfertig in 1-2 Werktagen|Lieferzeit: 2-4 Werktage|Verfügbar',
    few: 'Nur noch 3 Stück|Nur noch 2 auf Lager|Wenige verfügbar|Geringer Bestand|Letztes Exemplar|Nur noch wenige auf Lager|Noch 4 Stück verfügbar|Knapper Bestand',
    out: 'Ausverkauft|Derzeit nicht verfügbar|Nicht auf Lager|Zurzeit nicht lieferbar|Leider vergriffen|Momentan nicht verfügbar|Nicht vorrätig|Dieser Artikel ist nicht mehr verfügbar|Bald wieder verfügbar|Kein Bestand|0 Stück auf Lager|Restlos ausverkauft|Im Moment nicht bestellbar|Derzeit nicht erhältlich|Lieferung derzeit nicht möglich|Zurzeit ohne Liefertermin|Bestellung derzeit nicht möglich|Aktion beendet|Angebot abgelaufen|Verkauft|Liefertermin unbekannt|Alle Exemplare verkauft|Keine Exemplare mehr|Nicht lieferbar|Vorbestellphase beendet',
    soon: 'Demnächst erhältlich|In Kürze verfügbar|Bald erhältlich|Noch nicht erschienen|Verkaufsstart am 5. Dezember|Erscheint demnächst',
    back: 'Auf Bestellung|Bei Nachbestellung verfügbar|Lieferbar in 3 Wochen|Lieferzeit 2-3 Wochen|Wird für Sie bestellt|Nachbestellt|Lieferzeit ca. 14 Werktage, wird beim Verlag bestellt',
    stores:
      'Nur in der Filiale erhältlich|Nur im Markt erhältlich|Nur im Laden|Online nicht bestellbar|Nur zur Selbstabholung|Nur Abholung|Online nicht verfügbar|Nur vor Ort erhältlich',
    gone: 'Nicht mehr im Sortiment|Artikel eingestellt|Wird nicht mehr hergestellt|Nicht mehr erhältlich|Dieses Produkt wird nicht mehr angeboten',
  },
  fr: {
    buy: 'Ajouter au panier|Acheter|Acheter maintenant|Commander|Ajouter à mon panier|Ajouter au sac|Mettre au panier|Je commande|J’achète|Ajouter|Acheter cet article',
    pre: 'Précommander|Pré-commander|Précommande|Je précommande|Réserver maintenant',
    tell: 'Prévenez-moi|Me prévenir|M’alerter|Être averti|Alerte stock|Être prévenu du retour en stock|Avertissez-moi|Liste d’attente|Me prévenir de la disponibilité|Créer une alerte|Être informé de la disponibilité',
    draw: 'Participer au tirage au sort|Inscription au tirage',
    in: 'En stock|Disponible|Disponible immédiatement|En stock, expédié sous 24h|Expédié sous 48 h|Produit en stock|Disponible en ligne|12 en stock|Prêt à être expédié|Livraison sous 3 jours ouvrés',
    few: 'Plus que 3 en stock|Derniers articles en stock|Stock faible|Il ne reste que 2 exemplaires|Dernière pièce|Bientôt épuisé|Plus que 2 disponibles|Stock limité',
    out: 'Rupture de stock|Épuisé|Indisponible|Actuellement indisponible|Produit indisponible|En rupture|Plus disponible|Non disponible|Temporairement indisponible|Hors stock|Victime de son succès|Bientôt de retour|Stock épuisé|En attente de réapprovisionnement|Vendu|Offre terminée|Cette offre a expiré|Retour en stock prévu le 12 mars|Momentanément en rupture|Pas en stock|0 en stock|Précommandes closes|Livraison à domicile indisponible|Plus en stock',
    soon: 'Bientôt disponible|À venir|Prochainement|Pas encore sorti|Ouverture des ventes le 5 décembre',
    back: 'Sur commande|En réapprovisionnement, expédié sous 15 jours|Disponible sous 3 semaines|Délai : 3 semaines|Commandable, expédié sous 10 jours|Expédié sous 2 à 3 semaines',
    stores:
      'Uniquement en magasin|Disponible uniquement en magasin|Indisponible en ligne|Exclusivement en magasin|Retrait en magasin uniquement|En magasin seulement|Vendu uniquement en magasin',
    gone: 'Ce produit n’est plus commercialisé|Produit arrêté|Article retiré de la vente|N’est plus vendu|Produit retiré du catalogue|Ce produit n’est plus fabriqué',
  },
  es: {
    buy: 'Añadir al carrito|Comprar|Comprar ahora|Añadir a la cesta|Agregar al carrito|Añadir a la bolsa|Comprar ya|Lo quiero|Añadir al carro|Pedir ahora',
    pre: 'Reservar|Reservar ahora|Preventa|Precompra|Reserva ya|Haz tu reserva',
    tell: 'Avísame|Avisarme cuando esté disponible|Notificarme|Recibir aviso|Avísame cuando haya stock|Lista de espera|Quiero que me avisen|Crear alerta de stock|Apuntarme a la lista de espera',
    draw: 'Participar en el sorteo|Entrar en el sorteo',
    in: 'En stock|Disponible|Hay existencias|Entrega inmediata|12 en stock|Disponible para envío|Envío en 24 horas|En existencias|Stock disponible|Recíbelo mañana',
    few: 'Últimas unidades|Solo quedan 2|Quedan pocas unidades|Última unidad|¡Solo 3 en stock!|Quedan 2 unidades|Pocas unidades',
    out: 'Agotado|Sin stock|Sin existencias|No disponible|Fuera de stock|Actualmente no disponible|Temporalmente agotado|Producto agotado|No hay stock|Pronto de nuevo en stock|¡Pronto estarán en stock!|Vendido|Oferta finalizada|Esta oferta ha caducado|Próxima reposición en marzo|Ya no está disponible|0 en stock|Reservas cerradas|Pendiente de reposición|No queda stock|Envío a domicilio no disponible',
    soon: 'Próximamente|Muy pronto|Disponible próximamente|Aún no disponible|A la venta el 5 de diciembre',
    back: 'Bajo pedido|Disponible bajo pedido|Disponible en 3 semanas|Se envía en 2-3 semanas|Disponible para reserva|Plazo de entrega: 3 semanas',
    stores:
      'Solo en tienda|Disponible solo en tiendas|Solo recogida en tienda|No disponible online|Exclusivo en tienda|Venta exclusiva en tiendas físicas|Únicamente en tienda',
    gone: 'Descatalogado|Producto descatalogado|Ya no se fabrica|Ya no se vende|Retirado de la venta|Artículo descatalogado',
  },
  it: {
    buy: 'Aggiungi al carrello|Acquista|Acquista ora|Compra|Compra subito|Metti nel carrello|Ordina ora|Aggiungi alla borsa|Aggiungi|Ordina',
    pre: 'Preordina|Pre-ordina ora|Prenota|Prenota ora|Preordine|Prevendita',
    tell: 'Avvisami|Avvisami quando disponibile|Notificami|Lista d’attesa|Ricevi un avviso|Avvertimi|Avvisatemi|Iscriviti alla lista d’attesa|Crea avviso di disponibilità',
    draw: 'Partecipa al sorteggio|Partecipa all’estrazione',
    in: 'Disponibile|Disponibilità immediata|In magazzino|Pronta consegna|Subito disponibile|Spedito in 24 ore|12 disponibili|Spedizione in 24/48 ore|In stock|Disponibile online',
    few: 'Ultimi pezzi|Solo 2 rimasti|Disponibilità limitata|Ultimo pezzo|Pochi pezzi disponibili|Ne restano solo 3|Ultime copie disponibili|Quasi esaurito',
    out: 'Esaurito|Non disponibile|Attualmente non disponibile|Prodotto esaurito|Temporaneamente esaurito|Non disponibile al momento|Scorte esaurite|Di nuovo disponibile a marzo|Venduto|Offerta scaduta|Offerta terminata|Non più disponibile|In arrivo a marzo|0 disponibili|In riassortimento|Momentaneamente non disponibile|Tutto esaurito|Preordini chiusi|Non ordinabile|Consegna a domicilio non disponibile',
    soon: 'Prossimamente|In arrivo|Presto disponibile|Non ancora disponibile|In vendita dal 5 dicembre|Disponibile a breve',
    back: 'Su ordinazione|Ordinabile|Disponibile in 3 settimane|Disponibile su ordinazione|Spedito in 2-3 settimane|Tempi di consegna: 3 settimane',
    stores:
      'Solo in negozio|Disponibile solo in negozio|Solo ritiro in negozio|Non disponibile online|Esclusiva negozi|Acquistabile solo in negozio',
    gone: 'Fuori produzione|Fuori catalogo|Non più in vendita|Non più in produzione|Articolo fuori produzione|Prodotto ritirato dal mercato',
  },
  nl: {
    buy: 'In winkelwagen|In winkelmand|Bestellen|Koop nu|Nu kopen|Voeg toe aan winkelwagen|In mijn winkelwagen|Toevoegen aan winkelmandje|Nu bestellen|In het winkelmandje|Kopen|Direct bestellen|Plaats in winkelwagen',
    pre: 'Pre-order|Reserveer nu|Nu reserveren|Nu pre-orderen|Pre-order nu|Vooruitbestellen|Voorbestellen',
    tell: 'Houd me op de hoogte|Mail mij|Waarschuw mij|Stuur mij een mail|Breng me op de hoogte|Wachtlijst|Geef me een seintje|Laat het me weten|Voorraadmelding|Mail mij bij voorraad|Op de wachtlijst',
    draw: 'Meedoen aan de loting|Doe mee aan de loting',
    in: 'Op voorraad|Direct leverbaar|Uit voorraad leverbaar|Voor 23:59 besteld, morgen in huis|Leverbaar|12 op voorraad|Beschikbaar|Vandaag besteld, morgen in huis|Nog op voorraad|In voorraad',
    few: 'Nog 3 op voorraad|Laatste stuks|Beperkt op voorraad|Bijna uitverkocht|Nog maar 2 stuks|Laatste exemplaar|Nog slechts 1 beschikbaar',
    out: 'Uitverkocht|Niet op voorraad|Tijdelijk uitverkocht|Niet leverbaar|Niet beschikbaar|Momenteel niet leverbaar|Tijdelijk niet leverbaar|Binnenkort weer op voorraad|Helaas uitverkocht|Verkocht|Actie verlopen|Deze aanbieding is verlopen|Weer leverbaar vanaf maart|0 op voorraad|Niet meer beschikbaar|Geen voorraad|Pre-orders gesloten|Levertijd onbekend|Niet bestelbaar|Thuisbezorging niet mogelijk',
    soon: 'Binnenkort verkrijgbaar|Binnenkort leverbaar|Verschijnt binnenkort|Nog niet verschenen|In de verkoop vanaf 5 december',
    back: 'Levertijd 2-3 weken|In nabestelling|Op bestelling|Nabestelbaar|Levertijd: 10 werkdagen, wordt voor u besteld|Leverbaar binnen 3 weken',
    stores:
      'Alleen in de winkel|Enkel in de winkel verkrijgbaar|Niet online verkrijgbaar|Alleen af te halen|Uitsluitend in onze winkels|Alleen ophalen in de winkel|Niet online leverbaar',
    gone: 'Uit het assortiment|Niet meer leverbaar|Wordt niet meer geproduceerd|Uit productie|Niet meer in ons assortiment|Dit product wordt niet meer verkocht',
  },
  pl: {
    buy: 'Do koszyka|Dodaj do koszyka|Kup teraz|Zamów|Włóż do koszyka|Kup|Kupuję|Zamawiam|Dodaj|Do kosza',
    pre: 'Przedsprzedaż|Zamów w przedsprzedaży|Zamów przed premierą|Kup w przedsprzedaży',
    tell: 'Powiadom o dostępności|Powiadom mnie|Lista oczekujących|Powiadom mnie, gdy będzie dostępny|Daj znać o dostępności|Ustaw powiadomienie|Poinformuj o dostępności',
    draw: 'Weź udział w losowaniu|Zgłoś się do losowania',
    in: 'Dostępny|W magazynie|Produkt dostępny|Dostępność: duża|Wysyłka w 24h|Na stanie|12 szt. na stanie|Wysyłamy w 24 godziny|Dostępny od ręki|Produkt w magazynie',
    few: 'Ostatnie sztuki|Ostatnia sztuka|Zostały 2 sztuki|Tylko 3 sztuki|Mała ilość|Niski stan|Pozostało tylko 2 szt.',
    out: 'Brak w magazynie|Wyprzedane|Niedostępny|Chwilowo niedostępny|Produkt niedostępny|Brak towaru|Towar niedostępny|Nakład wyczerpany|Oczekujemy na dostawę|Sprzedane|Promocja zakończona|Oferta wygasła|Wyprzedany|0 szt.|Czasowo niedostępny|Produkt wyprzedany|Oczekiwanie na dostawę|Przedsprzedaż zakończona|Brak możliwości zakupu|Brak na stanie',
    soon: 'Wkrótce|Zapowiedź|Dostępny wkrótce|Wkrótce w sprzedaży|Premiera wkrótce',
    back: 'Na zamówienie|Dostępny na zamówienie|Wysyłka w 3 tygodnie|Sprowadzimy na zamówienie|Czas realizacji: 3 tygodnie',
    stores:
      'Tylko w sklepie|Dostępny tylko w sklepach stacjonarnych|Tylko odbiór osobisty|Wyłącznie w salonach|Niedostępny online',
    gone: 'Produkt wycofany|Wycofany ze sprzedaży|Już nie produkowany|Produkt wycofany z oferty|Już nie sprzedajemy',
  },
  pt: {
    buy: 'Adicionar ao carrinho|Comprar|Comprar agora|Adicionar ao cesto|Adicionar à sacola|Encomendar|Comprar já|Colocar no carrinho|Pôr no cesto',
    pre: 'Pré-venda|Pré-encomenda|Reservar|Pré-encomendar|Reservar agora|Encomendar em pré-venda',
    tell: 'Avise-me|Avisem-me|Notificar-me|Avisar-me quando disponível|Lista de espera|Quero ser avisado|Avise-me quando chegar|Receber alerta',
    draw: 'Participar no sorteio|Entrar no sorteio',
    in: 'Em stock|Em estoque|Disponível|Disponível para envio|12 em stock|Envio imediato|Entrega imediata|Pronto a enviar|Produto disponível',
    few: 'Últimas unidades|Apenas 2 em stock|Última unidade|Restam 3 unidades|Poucas unidades|Só restam 2|Stock reduzido',
    out: 'Esgotado|Indisponível|Sem stock|Sem estoque|Produto esgotado|Temporariamente indisponível|Não disponível|Fora de stock|Vendido|Oferta terminada|Promoção encerrada|Já não está disponível|0 em stock|Temporariamente sem stock|De volta em breve|Aguarda reposição|Pré-vendas encerradas',
    soon: 'Brevemente|Em breve|Disponível em breve|Lançamento em breve|Ainda não disponível',
    back: 'Sob encomenda|Disponível sob encomenda|Disponível em 3 semanas|Prazo de entrega: 3 semanas|Enviado em 2 a 3 semanas',
    stores:
      'Apenas na loja|Só na loja|Disponível apenas em loja|Não disponível online|Exclusivo em loja|Apenas levantamento em loja',
    gone: 'Descontinuado|Produto descontinuado|Fora de catálogo|Já não é fabricado|Retirado da venda',
  },
  sv: {
    buy: 'Lägg i varukorg|Lägg i varukorgen|Köp|Köp nu|Lägg i kundvagn|Lägg till i varukorgen|Beställ|Handla nu|Beställ nu',
    pre: 'Förbeställ|Förhandsboka|Boka nu|Förboka|Förhandsboka nu',
    tell: 'Bevaka|Meddela mig|Bevaka produkt|Meddela när den finns i lager|Få mejl när den är tillbaka|Väntelista|Bevaka lagersaldo',
    draw: 'Delta i lottningen|Delta i utlottningen',
    in: 'I lager|Finns i lager|12 i lager|Skickas idag|I webblager|Finns i webblager|I lager, skickas inom 24 timmar|Omgående leverans',
    few: 'Få kvar|Endast 2 kvar|Sista exemplaret|Bara 3 kvar|Fåtal i lager|Få i lager|2 kvar',
    out: 'Slutsåld|Slut i lager|Tillfälligt slut|Ej i lager|Inte i lager|Finns ej i lager|Slut|Kommer snart i lager igen|Såld|Erbjudandet har gått ut|Åter i lager i mars|Slut för tillfället|0 i lager|Ej tillgänglig|Inte tillgänglig|Slutsålt|Tyvärr slut|Saknas i lager|Väntas in i mars',
    soon: 'Kommer snart|Släpps snart|Ännu inte släppt',
    back: 'Beställningsvara|Beställningsvara, 3 veckor|Leveranstid 3 veckor|Skickas inom 2-3 veckor|Restnoterad',
    stores:
      'Endast i butik|Säljs endast i butik|Finns bara i butik|Kan inte köpas online|Endast upphämtning i butik',
    gone: 'Utgått|Utgången produkt|Utgått ur sortimentet|Produkten har utgått|Säljs inte längre|Tillverkas inte längre',
  },
  da: {
    buy: 'Læg i kurv|Læg i kurven|Køb|Køb nu|Tilføj til kurv|Bestil|Føj til kurv|Bestil nu|Læg i indkøbskurv',
    pre: 'Forudbestil|Forhåndsbestil|Forudbestil nu|Reserver nu',
    tell: 'Giv mig besked|Få besked|Skriv mig op|Giv besked når på lager|Venteliste|Underret mig|Få besked når varen er på lager',
    draw: 'Deltag i lodtrækningen|Deltag i lodtrækning',
    in: 'På lager|12 på lager|På lager, afsendes i dag|Klar til levering|Sendes i dag|Fjernlager: 12 på lager|Levering 1-2 hverdage|Varen er på lager',
    few: 'Kun 2 tilbage|Få på lager|Kun 3 på lager|Sidste eksemplar|Få stk. tilbage|Næsten udsolgt',
    out: 'Udsolgt|Ikke på lager|Midlertidigt udsolgt|Ikke tilgængelig|Desværre udsolgt|Solgt|Tilbuddet er udløbet|Tilbage på lager i marts|0 på lager|Ej på lager|Varen er udsolgt|Forventes på lager i marts|Kan ikke bestilles|Snart på lager igen|Ikke længere tilgængelig',
    soon: 'Kommer snart|Udkommer snart|På vej|Endnu ikke udkommet',
    back: 'Bestillingsvare|Skaffevare|Leveringstid 3 uger|Bestillingsvare, 2-3 uger|Restordre|I restordre',
    stores:
      'Kun i butik|Sælges kun i butik|Kun i butikken|Kan kun købes i butik|Kun afhentning i butik|Kan ikke købes online',
    gone: 'Udgået|Udgået vare|Varen er udgået|Sælges ikke længere|Produceres ikke længere',
  },
};

/** What of each kind a button or line says, as `says` or `says detail`. */
const MEANS: Record<Kind, readonly string[]> = {
  buy: ['in_stock'],
  pre: ['preorder release'],
  tell: ['out_of_stock'],
  draw: ['out_of_stock ballot'],
  in: ['in_stock'],
  few: ['limited low_stock'],
  out: ['out_of_stock', 'out_of_stock coming_soon'],
  soon: ['out_of_stock coming_soon', 'out_of_stock'],
  back: ['preorder backorder'],
  stores: ['out_of_stock in_store_only'],
  gone: ['discontinued'],
};
const BUTTONS: ReadonlySet<Kind> = new Set(['buy', 'pre', 'tell', 'draw']);

/** What stands beside products that are sold, and refuses nothing. */
const REFUSES_NOTHING =
  "Not suitable for children under 36 months|Sold by Card Cabin|Sold in packs of 10|Sold individually|Sold as seen|Limited to one per customer|Limit 2 per customer|Max 3 per household|Only one per customer|Order by 2pm for dispatch today|Order before noon|Never miss a restock - follow us|Not eligible for discount codes|Excluded from promotions|Discount codes cannot be used on this item|Cannot be combined with other offers|If sold out we will refund you|We restock every Friday|Back in stock!|Back in stock by popular demand|New stock just in|Just restocked|Restocked today|Last sold 2 hours ago|37 sold in the last 24 hours|12 sold|120 sold|Over 500 sold|5 people have this in their basket|In 5 people's baskets|Selling fast|Only 500 made|Limited edition of 500|Unavailable for gift wrap|Cannot be gift wrapped|Next day delivery unavailable|Express delivery not available for this item|Saturday delivery unavailable|Click & collect unavailable|Not available for click & collect|Collection not available|Not available in store|Online only|Web exclusive|Exclusive to Card Cabin|International shipping not available|We do not ship outside the UK|No international orders|Returns not accepted on opened packs|No returns|Klarna not available|Sorry, we can't accept PayPal for this item|Awaiting review|No reviews yet|Be the first to review|Loyalty points not available|Contact us for bulk orders|The previous print run sold out in hours|Usually sells out quickly|Sells out fast|Don't miss out|Hurry before it's gone|Get yours before they're gone|When it's gone it's gone|Once they're gone, they're gone|While stocks last|Subject to availability|Check stock in store|Check availability in your local store|Gift receipt unavailable|No waiting, no queue|Our first wave sold out, this is the second|Sale ends Sunday|Offer ends 30 November|Sale ends in 2 days|Deal ends tonight|One per household, first come first served|No pre-orders left to ship: all in hand|Free returns if it is out of stock|Orders placed over the weekend ship on Monday|Shop closed on Sundays|Our Leeds shop is closed on Monday|Not sold in supermarkets|Never opened, never played|No minimum order|Out now|Out now!|Released last week|Not a pre-order: in hand|Free draw entry with every order|Email us if you cannot find it|Subscribe to our newsletter|Not tracked: upgrade at checkout|Retired teacher owned shop|Sealed, no longer than 2 weeks in our store|Nicht für Kinder unter 36 Monaten geeignet|Versand nach Österreich nicht möglich|Solange der Vorrat reicht|Kein Versand an Packstationen|Expresslieferung nicht verfügbar|Livraison en point relais indisponible|Dans la limite des stocks disponibles|Retrait en magasin indisponible|Paiement en 3 fois indisponible|Niet geschikt voor kinderen|Zolang de voorraad strekt|Afhalen niet mogelijk|Hasta fin de existencias|Recogida en tienda no disponible|Fino ad esaurimento scorte|Ritiro in negozio non disponibile|Do wyczerpania zapasów|Odbiór osobisty niedostępny|Så länge lagret räcker|Så langt lager rækker|Afhentning i butik ikke mulig";
/** What does not say that the product is in stock. */
const NOT_IN_STOCK =
  'Notify me when in stock|In stock soon|Usually in stock|Often in stock|Was in stock|When in stock, ships in 24h|Items in stock ship today|Subscribe for in-stock alerts|See in-stock alternatives|In stock at our supplier|In stock in 3 stores|In stock in store only|Check if in stock|We only list items in stock|Expected in stock 12 December|Available to pre-order|Available in January|Available to members|Available from other sellers|Available as part of a bundle|Available only in the starter set|Also available in German|Available in 3 colours|Available worldwide|Rulebook available to download|Samples available|Available again soon|Available later this month|Available from 5 December|No date available|No stock date available|Next delivery: unknown|In stock date: to be confirmed|Last in stock: 3 May 2026|In stock? Ask us|Never in stock for long|Not in stock|In stock (0)|Stock: none|Rarely in stock|Hopefully back in stock in January|In stock for trade customers|In stock for members only|In stock for collection only|In stock in our Leeds store|Available in store|Available at our shop in York|Available to view in store|Available on request|Availability: ask us|Availability: call|Availability: pre-order|Availability: backorder|Availability: 3-4 weeks|Available for collection|Available at selected retailers|Available at all good toy shops|Available exclusively at our events|Nachricht sobald auf Lager|Wieder auf Lager ab März|Demnächst auf Lager|Nur in der Filiale verfügbar|Im Markt verfügbar|Bientôt en stock|De retour en stock en mars|Disponible en magasin|Disponible uniquement en magasin|Pronto disponible|Disponible en tienda|Prossimamente disponibile|Disponibile in negozio|Binnenkort op voorraad|Verkrijgbaar in de winkel|Wkrótce dostępny|Dostępny w sklepie|Snart i lager|Finns i butik|Snart på lager|Findes i butik';
/** Buttons that do not sell the product. */
const SELLS_NOTHING =
  'Add to wishlist|Add to collection|Add to compare|Add to calendar|Buy a gift card|Buy in store|Buy from a local shop|Where to buy|How to buy|Buy tickets|Order history|Track order|Order status|Add a review|Add to watch list|Add me to the list|Add email|Order a catalogue|Order samples|Buying guide|Sell yours|Sell to us|Buy back|Add gift message|Add photo|Order by phone|Call to order|Order enquiry|Reserve in store|Buy now, pay later|Buy with confidence|Shop now|View basket|Go to basket|View bag|Checkout|In your basket|Added to basket|Quick view|Ajouter à la liste|Ajouter aux favoris|Ajouter au comparateur|Voir le panier|Zum Warenkorb|Auf den Merkzettel|Warenkorb ansehen|Zur Wunschliste hinzufügen|Añadir a favoritos|Ver carrito|Aggiungi ai preferiti|Vai al carrello|Vedi carrello|Naar winkelwagen|Bekijk winkelwagen|Toevoegen aan verlanglijst|Do schowka|Przejdź do koszyka|Zobacz koszyk|Ver carrinho|Adicionar aos favoritos|Till kassan|Till varukorgen|Lägg till i önskelista|Se kurv|Gå til kurv|Tilføj til ønskeliste';
/** What refuses the product, in sentences. */
const REFUSES =
  "Only available in our Leeds store|This item cannot be shipped to the UK|Members only until Friday|Sign in to buy|Reserved|On hold for a customer|Launches 5 December 2026|Quantity available: 0|Remaining: 0|0 of 200 left|Stock level: empty|0/50 remaining|All 200 copies have been sold|We have temporarily closed our shop|Our online shop is closed until 5 January|We are on holiday: no orders until 5 January|Expected back in January|This is a display item and not for sale|Buy in store only|Stock: 🔴 none|❌ Out|Home delivery ✗|Delivery: not available|✗ Home delivery|Unavailable for delivery to your postcode|The last one has just sold|Sorry, we have no more of these|We've none of these left|Sorry! All gone.|Gone!|Sorry, too slow|You've missed this one|This listing has ended|The pre-order window has closed|Orders for this have closed|Sales have closed|Waiting list only|Allocated: customers with an account only|Trade customers only|Sold subject to collection, collection from York only|Item withdrawn from sale|Temporarily removed from sale|Recalled by the manufacturer, do not buy|Product recall: withdrawn|Stock status: OOS|Status: unavailable|Availability: 0|In stock: 0|In stock: no|Stock 0|Available: none|Next stock: 2027|Reprint due spring 2027|Back in print in March|Currently between deliveries|Not yet in stock|Arriving in March 2027|We are waiting for our delivery|Stock expected 3 March 2027|Voraussichtlich ab März wieder lieferbar|Leider gerade nicht da|En cours de réapprovisionnement|Agotado temporalmente|Momenteel uitverkocht";

describe('what shops write', () => {
  const said = (text: string, read = readStockLine): string =>
    read(foldText(text), '2026-11-27')?.says ?? 'nothing';
  const saying = (lines: string, says: readonly string[], read = readStockLine): string[] =>
    lines.split('|').filter((line) => says.includes(said(line, read)));
  test('a line that is about something else refuses nothing', () => {
    expect(saying(REFUSES_NOTHING, ['out_of_stock', 'preorder', 'discontinued'])).toEqual([]);
  });
  test('a line about another time, place or customer does not say in stock', () => {
    expect(saying(NOT_IN_STOCK, ['in_stock', 'limited'])).toEqual([]);
  });
  test('a button that does something else sells nothing', () => {
    expect(saying(SELLS_NOTHING, ['in_stock', 'preorder'], readButton)).toEqual([]);
  });
  test('a sentence that refuses the product is understood', () => {
    expect(saying(REFUSES, ['nothing', 'in_stock', 'limited'])).toEqual([]);
  });

  for (const [language, kinds] of Object.entries(PHRASES))
    for (const [kind, phrases] of Object.entries(kinds) as Array<[Kind, string]>)
      test(`${language}: ${kind}`, () => {
        const read = (phrase: string): string => {
          const text = foldText(phrase);
          const wording = BUTTONS.has(kind) ? readButton(text) : readStockLine(text, '2026-11-27');
          return wording === null ? 'null' : [wording.says, wording.detail ?? ''].join(' ').trim();
        };
        const wrong = phrases.split('|').flatMap((phrase) => {
          const means = read(phrase);
          return MEANS[kind].includes(means) ? [] : `${phrase}: ${means}`;
        });
        expect(wrong).toEqual([]);
      });
});
