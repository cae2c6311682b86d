/** Given names that are recognised as people without further evidence, in lower case and without accents. */
import { wordSet } from './word-set.js';

export const FIRST_NAMES = wordSet(`
  aaliyah aarav aaron abby abdul abdulaziz abdullah abe abebe abel abena abhinav abhishek abigail abraham achieng
  achim ada adaeze adam addison adebayo adela adelaide adele adeline aditi aditya adjoa adnan adrian adriana adrien
  adrienne agata agatha agnes agnieszka ahmad ahmed ahmet aicha aida aidan aiden aiko aileen aimee ainhoa aino
  ainsley aisha aishwarya aisling ajay ajit akash akihiro akiko akira aksel akua alain alan alana alanna alastair
  alba albert alberto alec alejandra alejandro alejo aleksander aleksandr aleksandra aleksey alena alessandra
  alessandro alessia alex alexa alexander alexandra alexandre alexei alexia alexis alfie alfonso alfred alfredo ali
  alia alice alicia alina alisa alisha alison alistair aliya allan allen allie allison alma almaz alois alonso
  alonzo alphonse althea alton alvaro alvin alyona alyssa ama amadou amaia amaka amal amalia amanda amar amara amaya
  ambrose amelia amelie amina amir amira amit amos amparo amrita amy ana anabela anais anand ananya anastasia
  anatoly anders andre andrea andreas andrei andres andrew andrey andriy andrzej andy aneta anette ange angela
  angeles angelica angelika angelina angelique angelo angus anh ania anika anil anisa anita anja anjali ankit ankita
  ann ann-kathrin anna annabel annabelle anne anne-marie annegret anneke anneliese annemarie annette annie annika
  anouk ansel anselm anthony antoine antoinette anton antonella antoni antonia antonio antony antti anurag anya aoi
  araceli arantxa archana archibald archie ari ariana arianna arianne ariel arielle arjen arjun arkady arlene arlo
  armand armando armin arnaud arndt arne arno arnold aron artem arthur artie artur arturo artyom arun arvid asger
  asha asher ashlee ashleigh ashley ashok ashton ashwin asif asta astrid asuka athena aubrey audrey auguste augustin
  augusto aurelia aurelie aurelio aurora austin ava avery aviva axel ayaan ayako ayesha ayla aylin ayman ayoub ayse
  ayumi aziz babak bader bao barb barbara barbie barbora barnaby barney barrett barry bart bartek bartholomew
  bartosz bas bashir basia bastian bea beata beate beatrice beatrix beatriz becca becks becky belen belinda bella
  ben benedict benedikt bengt benita benjamin bennett benno benny benoit benson berk bernadette bernard bernardo
  bernd bernhard bernice bernie bert bertha berthold bertie bertram bertrand beryl bess bessie beth bethany betsy
  bettina betty bev beverley beverly bharat bhavesh bhavna bianca bilal billie billy binh birger birgit birgitta
  birte bjarne bjorn blaine blair blake blanca blanche blazej bob bobbi bobbie bobby bodil bodo bogdan bohdan bojan
  bonnie boris boyd bozena brad bradford bradley brady bram brandon branka breanna bree brenda brendan brendon
  brenna brent bret brett bri brian briana brianna bridget brigitte britney britta brittany bronwyn brooke bruce
  bruna bruno bryan bryce bryony burak burkhard burt bushra byron caetano caitlin caleb calista callum calvin
  cameron camila camilla camille camilo canan candace candice cara carey carina carl carla carlijn carlo carlos
  carlota carlotta carlton carly carmela carmelita carmelo carmen carola carole carolina caroline carolyn carrie
  carsten carter casey caspar caspian cass cassandra cassie catarina caterina catherine cathy catriona cayla cecil
  cecile cecilia cecily cedric celeste celestino celia celina celine cem cenk cesar cezary chad chandra chang
  chantal chantelle charlene charles charlie charlotte charmaine chelsea chelsey chen cheng cherie cheryl chester
  chet chetan chiara chidi chinedu chinwe chioma chloe chris chrissie chrissy christa christelle christiane
  christina christine christof christoph christophe christopher christy chuck chukwu cian ciara ciaran cindy ciro
  claire clara clare clarence clarice clarissa clark claudette claudia claudine claudio claus clayton clemence
  clemens clement cleo cleopatra clifford clifton clint clive clyde cody colby cole colette colin colleen colton
  concetta connie connor conor conrad constance constantin consuelo cora coralie cordelia corey corinna corinne
  cornelia cornelius cory cosima cosimo courtney craig cristian cristina cristobal curtis cynthia cyril cyrus
  czeslaw daan dafydd dag dagmar dagny daichi daisuke dalia damian damien damon dan dana dani danica daniel daniela
  daniele daniella danielle danilo danny dante daphne dara darcy daren daria darin dario darius dariusz darko darla
  darlene darnell darrell darren darryl darshan daryl dave david davide dawid deana deandre deanna deb debbie
  deborah debra declan deedee deena deepa deepak deepika deepti deirdre dejan delbert delia delilah della delores
  delphine demetrius denis denise deniz dennis denny denys deon derek derrick derya desiree desmond detlef devika
  devin devon dewey dexter dhruv diana diane dianne didem didier diego dierk dieter dietmar dietrich dilara dilip
  dillon dimitar dimitri dimitris dina dinah dinesh dino diogo dion dionne dirk divya djamila dmitri dmitry dmytro
  dolores domenico domingo dominic dominick dominik dominika dominique don donald donatella donna donnie donny
  donovan dora doreen dorian doris dorota dorothea dorothy doug douglas dragan duane duarte duc dudley duncan dusan
  dustin dwayne dwight dylan eamon ebba ebbe ebele ebony eckhard ed eda eddie eden edgar edie edith edmond edmund
  edna edoardo eduard eduardo edward edwin edwina eero efe efua egon eileen eirik eitan eivind ekaterina elaine
  elana eleanor elena eleni eleonora elfriede eli eliana elias elif elijah elin elina eline elinor eliot elisa
  elisabeth elisabetta elise eliza elizabeth elke ella elle ellen ellie ellinor elliot elliott ellis elly elmar
  elmer elodie eloise eloy elsa elsie elton elva elvira elvis elwood emanuel emanuele emeka emerson emi emiel emil
  emile emilia emilie emilio emily emina emine emir emma emmanuel emmanuelle emmeline emmett emmie emmy emre enid
  enoch enrico enrique enzo eoin ercan erdem erez eri eric erica erich ericka erik erika erin erna ernest ernesto
  ernie ernst erol errol erwin esa esi esin esma esme esmee esmeralda espen esperanza esra esteban estefania estela
  estelle esther ethan ethel etienne etta eugen eugene eugenia eugenie eugenio eulalia eunice eva evan evander
  evangeline evelina eveline evelyn everett evert evgeni evie ewa ewald ewan ewelina ezra fabian fabiana fabien
  fabienne fabio fabiola fabrice fabrizio fadi fahad faisal fanny farah fareed farid farida farouk farrah fatih
  fatima fatimah fatma fatou fausto faye federica federico felicia felicitas felicity felipe felix femi femke feng
  ferdinand fergus ferhat fermin fernanda fernando fidel filip filippo filiz filomena finlay finley finn finnegan
  fiona fiorella flavia flavio fleur floor florian floyd folake forrest fran frances francesca francesco francine
  francis francisca francisco franco francois francoise franek franka frankie franklin franz franziska fraser frauke
  fred freda freddie freddy frederic frederick frederik fredrik freja freya frida frieda friederike friedrich fritz
  frode fumiko funmi furkan fyodor gabby gabe gabi gabor gabriel gabriela gabriele gabriella gabrielle gael gaetano
  galina gareth garrett garth gary gaspar gaston gaurav gavin geert geeta gema gemma genevieve gennady gennaro geoff
  geoffrey georg george georges georgette georgie georgina georgios gerald geraldine gerard gerardo gerd gerda
  gerhard gerlinde gernot gerrit gerry gertrud gertrude ghada ghassan gia giacomo gianluca gianna gianni gideon gigi
  gijs gil gilbert gilberto gilda giles gilles gillian gina ginevra ginny gino giorgia giorgio giorgos giovanna
  giovanni girish gisela giselle gita giulia giuliano giulio giuseppe gizem gladys glen glenda glenn gloria godfrey
  gokhan gonzalo gopal goran gordon gosia gotz goutam gracie graciela grady graham graziella grazyna greg gregg
  gregor gregory greta gretchen gretel grigori grzegorz guadalupe guang gudrun guido guilherme guillaume guillermo
  gundula gunnar gunter gunther guro gus gustav gustavo gustaw gwen gwendolyn gwyneth ha-eun habib hadi hadley
  hailey haim haitham hakan hakim hal hala halim halima halina hallie halvor halyna hamid hamish hamza hana hanan
  hani hank hanna hannah hanne hanneke hannelore hannes hannu hans hans-peter hao harald haris harish harlan harley
  harold harriet harris harrison harry hartmut haruka haruki haruna haruto harvey hasan hassan hatem hatice hattie
  hayden hayley heath hector hedda hedwig hege heidi heike heikki heiko heiner heinrich heinz helen helena helene
  helga helge helmi helmut helmuth heloisa hemant hendrik henk henning henri henrietta henrik henrique henry herbert
  herman hermann hermione hernan hernando herta herve hettie hidde hideki hieu hikaru hilary hilda hilde hildegard
  hillary hinata hiro hiroko hiroshi hiroto hitoshi hiwot hjalmar hoang holger hollie holly homer horace horacio
  horst houda howard hubert hubertus huda hugh hugo hui hulya humberto humphrey huong hussain hussein hyun-woo iain
  ian ibrahim ida ifeoma iga ignacio ignacy ignatius igor ihor ike iker ikram ilaria ildiko ilias ilka ilker ilkka
  ilona ilse ilya imad iman imani imelda imke imma imogen imran ina inaki indira ineke ines inga inge ingeborg inger
  ingo ingrid ingvild inigo inka inmaculada inna ioana ioannis ionut iqbal ira irena irene irina irma irmgard irving
  irwin iryna isa isaac isabel isabella isabelle isadora isaiah isaias isamu ishaan ishita isidora isla ismael
  ismail isolde issam issy istvan itai itziar ivan ivana ivo ivonne iwona izabela izzie izzy jaakko jaap jaber jacek
  jacinto jackie jackson jacky jaclyn jacob jacopo jacqueline jacques jad jada jade jaden jadwiga jagoda jaime jake
  jakob jakub jamal james jameson jamie jamila jana jane janelle janet janice janina janine janis jannik jannis
  janusz jared jarek jari jarmila jaroslav jaroslaw jarrett jarvis jasmin jasmine jason jasper javed javier jawad
  jaya jayant jayden jayne jazmin jb jean jean-luc jean-marc jean-paul jean-pierre jeanette jeanne jeannie jeannine
  jed jeff jefferson jeffrey jelena jelle jem jemima jen jenn jenna jenni jennifer jenny jens jeremiah jeremy
  jermaine jeroen jerome jeronimo jerry jerzy jesper jess jesse jessica jessie jethro ji-hoon ji-woo jia jian jie
  jill jillian jim jimena jimin jimmie jimmy jin jing jiri jiro jisoo jitka jo joachim joan joana joanna joanne joao
  joaquin jocelyn jochen jodi jodie jody joe joel joelle joep joerg johan johann johanna johannes john johnny
  johnson jolanda jolanta jolene jon jonah jonas jonathan jonathon joni jonny jools joon joost jordan jordi jorg
  jorge jorgen jorn jorrit jorunn jose josef josefin josefina josefine joseph josephine josh joshua josiah josie
  jost jostein josue jouni jovana joyce juan juana juanita judith judy juergen juha jukka jules julia julian juliana
  julianna julianne julie julien juliet julieta juliette julio julius junaid jurgen jussi justin justina justine
  justyna jutta jyoti kaan kacper kader kai kaisa kaitlyn kaito kaja kaley kalina kalle kamal kamil kamila kamran
  kaori kaoru kara karan kareem karel karen kari karim karin karina karissa karl karl-heinz karla karolina karoline
  karsten karthik kartik kasia kaspar kassandra kat katariina katarina katarzyna kate katelyn kateryna kath
  katharina katharine katherine kathleen kathryn kathy katia katie katja katrin katrina katy katya kavita kayla
  kaylee kayleigh kaz kazuo kees keiko keira keiran keisha keith kelechi kellen kelly kelsey kemal kemi ken kendall
  kendra kendrick kenichi kenji kenneth kenny kent kenta kerem kerim kerry kerstin kevin khadija khaled khalid
  khalil khanh kiana kiara kiera kieran kiki kilian kim kimberley kimberly kimiko kimmie kimmo kinga kingsley kira
  kiran kirill kirk kirsten kirsty kirti kit kitty kiyoshi kjell klara klaudia klaus knut koen kofi kojo konrad
  konstantin konstantinos korbinian kosuke kourosh kris krishna krista kristen kristian kristin kristina kristine
  kristof kristoffer krystal krystian krystyna krzysztof ksenia kunal kurt kwame kwesi kyla kyle kylee kylie kyoko
  kyra lacey lachlan laia laila lakshmi lalit lalita lamar lamia lamin lamont lana lance landon lara larissa larry
  lars larysa lasse laszlo latasha latisha latoya laura laure lauren laurence laurent lauri laurie lavinia lawrence
  layla lea leah leandro leanna leanne lech leda leena lei leia leif leigh leila leilani leire leland len lena lene
  lenka lennart lenny lenora leo leon leona leonard leonardo leonel leonid leonie leonora leopold lerato leroy lesia
  lesley leslie lester leszek leticia letizia lev levi lewis lexi leyla li lia liam lian liana liang libby lida
  lidia lieke liesbeth liesel lieve lil lila lilian liliana lilith lillian lilly lin lina linda lindiwe lindsay
  lindsey lindy ling linh linnea lino linus lionel lisa lisbeth lise lisette liv livia liz liza lizzie ljubica lloyd
  loes logan lois lola lolita lonneke lonnie lora loredana lorelei lorena lorenz lorenzo loretta lori lorna lorraine
  lothar lotta lotte lottie lou louie louis louisa louise lowell lubna luc luca lucas lucia luciana luciano lucie
  lucien lucille lucinda lucio lucy lucyna ludger ludmila ludovic ludovica ludvig ludwig luella luigi luis luisa
  luise luka lukas lukasz luke lulu luna lupita luther lutz luz lydia lyle lynda lynette lynn lynne lyudmila maaike
  maarten mabel macarena maciej mackenzie maddie maddy madeleine madeline madge madhav madhuri madison mads mae
  maeve magda magdalena maggie magne magnus maha mahdi maher mahesh mahmoud maia maija maike mairead maisie maite
  maja majid makoto maksim maksym malachi malcolm malene malgorzata malia malik malika mallory malte mamadou mamoru
  manal mandy manfred manish manisha manny manoj manolis manon manuel manuela mara marc marcel marcela marcella
  marcello marcelo marcia marcin marco marcos marcus marek maren margaret margarete margarita margaux marge margery
  margit margo margot margret margrit marguerite mari maria mariah mariam marian mariana marianna marianne mariano
  maribel marie marie-claire mariella marielle marija marijke marika mariko marilena marilyn mario marion marisa
  marisol marissa marit marius mariusz marja marjorie markku marko markus marla marleen marlene marley marlies
  marlon marnie marshall marta marte martha martijn martin martina martine marty marvin marwan mary mary-jane maryam
  maryann masahiro masako masami masaru masha massimo mateo mateusz mathew mathias mathieu mathilda mathilde matias
  matilda matilde matt matteo matthew matthias matthieu matthijs matthis matti mattias mattie maud maura maureen
  maurice mauricio maurizio mauro maverick mavis maxim maxime maximilian maxine maxwell maya maynard maysa mayumi
  maz mazen meagan mechthild meenakshi meera meg megan megha meghan megumi mehdi mehmet mei mei-ling meike mel
  melanie melina melinda melissa meltem melvin menno mercedes meredith merel merle merlin mert meryem meryl mesut
  metin mette mia mica micah michael michaela michal michalina micheal michel michele michelle michiel michiko mick
  mickey miguel mihai mika mikael mike mikey mikhail mikkel mikko miklos mila milada milagros milan mildred milena
  millicent millie milly milo milos milosz milton mimi min-jun mina mindy ming minh minna minnie minoru minseo mira
  miranda mireia mirela mirella miriam mirjam mirko miroslav mirthe misaki misha mitch mitchell mitsuko mitsuru
  miyuki moana mohamed mohammad mohammed mohan mohsen moira mollie molly mona monica monika monique montserrat monty
  morgan moritz morris mort morten moshe mounir mourad muhammad muhammed mukesh muna munir murad murat muriel murray
  mustafa mustapha mwangi mykhailo mykola myles myra myriam myron myrtle nabil nabila nadezhda nadia nadim nadine
  nadja nadya naim najib naledi nalini namrata nana nanami nance nancy nandini nanna naoki naomi naresh narges nasir
  nasrin nasser nastya natalia natalie natalya natasha nate nathalie nathan nathanael nathaniel natsuki naveen nawal
  nayeli nazar nazli neal ned neeraj neha neil nele nell nellie nelly nelson nena nerea nestor nettie neville ngoc
  ngozi nhung nia niall niamh nicholas nick nicky nico nicola nicolas nicole nicoleta nicolo nidhi niek niels nienke
  nieves nigel nihat niina nik nika nikhil niki nikita nikki niklas nikola nikolai nikolaos nikolas nikolaus nikos
  nilesh nils nina niranjan nisha nitin nitya nizar njoroge nkechi nneka noa noah noam noboru nobu noel noelia
  noelle noemi nola nolan nomsa noor noortje nora norah norbert noreen norma norman nour noura nuno nur nura nuria
  obinna octavia octavio odelia odette odile ofelia okan oksana ola olaf ole oleg oleh olek oleksandr oleksiy olena
  olesya olga olha olimpia oliver olivia olivier oliwia olli ollie olof olumide oluwaseun omar omer ondrej onur
  ophelia orhan oriana oriol orla orlando ornella orson orville osama osamu oscar oskar osman ostap oswald otieno
  otis ottilie ottmar otto oumar outi owen oyvind ozan ozge ozlem ozzie paavo pablo paco paddy padraig paige paivi
  pallavi paloma pam pamela pankaj paola paolina paolo paris parisa parker parth parvati pascal pascale patrice
  patricia patricio patrick patrik patrizia patrycja patsy patti patty paul paula paulette paulina pauline paulo
  pavel pavla pavlo pawel pedro peggy pekka pelin penelope percy perla pernille perpetua perry petar pete peter petr
  petra petro petros petteri phil philip philipp philippa philippe phillip philomena phoebe phuong phyllis pia
  pierce pierre pieter pietro pilar pim pinar piotr piper pippa pirjo polina polly pooja portia poul pradeep prakash
  pranav prasad pratik praveen preben preeti preston priscilla priti priya priyanka prudence przemek przemyslaw qais
  qasim qiang quang quentin quincy quinn quynh rabia rachael rachel rachelle radek radhika radka radoslav rae raf
  rafael rafaela rafal raffaele raffaella raghav ragnar ragnhild rahul raina rainer raj raja rajan rajesh rajiv raju
  rakesh ralf ralph ramazan ramesh rami ramiro ramon ramona ramzi rana randall randi randolph rania ranjit raoul
  raphael raquel rasha rashid rashmi rasmus raul ravi raymond reba rebecca rebekah reece reem reggie regina reginald
  rei reid reiko reina reiner reinhard reinhold reinier remedios remi remy rena renae renata renate rene renee
  reuben rex reyna reynaldo rhea rhett rhiannon rhoda rhonda rhys rianne ricardo riccardo richard rick ricky rico
  riikka rika riko riley rina risto rita ritika ritu roald robbie robby robert roberta roberto robyn rocco rochelle
  rocio roderick rodger rodney rodolfo rodrigo rogelio rohan rohini rohit roland rolando rolf romain romeo romina
  romy ronald ronan ronja ronnie roos rory ros rosa rosalba rosalie rosalind rosalinda rosalyn rosanna rosario
  rosaura roseanne rosemarie rosemary rosi rosie roslyn ross rowena roxana roxanne roxie roy royce roz ruba ruben
  rubens rudi rudiger rudolf rudy rufus ruggero rui rupa rupert ruslan russ russel russell ruth ruud ryan ryo ryoko
  ryota ryszard saad saanvi saara sabina sabine sabrina sachiko sachin sadie saeed safiya sahar saida sajid saki
  sakura salem salim sally salma salome salvador salvatore sam samantha samara sameer samer sami samir samira sammie
  sammy samuel sana sandeep sander sandra sandrine sandro sangeeta sanjana sanjay sanna sanne santosh saoirse sapna
  sara sarah sari sarita sascha sasha saskia satomi satoshi saul saurabh saverio sawsan sawyer scarlett scott seamus
  sean sebastian sebastien sedat selam selena selim selina selma seo-yeon seojun sepideh seppo serafina serena serge
  sergei sergey sergio serhiy serkan seth seun severin sevgi seymour shadi shaheen shalini shana shane shania
  shankar shannon shanti shaquille sharad shari sharif sharon shaun shauna shawn shayla shaz sheena sheila shelby
  sheldon shelley shelly sheridan sherlock sherman sherry shigeru shilpa shinji shira shirin shirley shivani shlomo
  shona shota shreya shubham shunsuke sibel siddharth sidney siegfried sieglinde sienna sigmund signe sigrid sigrun
  sigurd silas silje silke silvana silvia silvio simon simona simone sina sinead sinem siobhan sipho sita siti siv
  sjoerd slavko slawomir sloane slobodan smita sneha snezana sofia sofie sofiya soham solange soledad solene solomon
  solveig sonal sondra sonia sonja sonke sonya soo-jin soph sophia sophie sora soraya soren sota spencer srinivas
  stacey stacy stan stanislav stanislaw stanley stefan stefania stefanie stefano steffen steffi stella stepan steph
  stephan stephane stephanie stephen steve steven stewart stian stig stijn stu stuart subhash sudha sudhir suhail
  sujata sukhdeep suki suleiman sumit sumitra sung-min sunil sunita sunniva suraj suresh suri surya susan susana
  susann susanna susannah susanne sushila susi susie suzan suzanne suze suzie suzy svea sven svend svenja sverre
  svetlana svitlana swantje swati sybil sydney sylvester sylvia sylvie sylwia szymon tabitha tadashi tadeo tadeusz
  taher taiwo takashi takeshi talal talia tamar tamara tamer tamika tammie tammy tamsin tania tanisha tanja tanvi
  tanya tao tapio tara taras tarek tariq tarja taro tarun tash tasha tatiana tatjana tatum taylor tayo ted teddy
  teemu tegan tejas telmo tendai teo teodor terence teresa tereza terje tero terrance terrell terri terry tesfaye
  tess tessa tetsuya teun thabo thad thaddeus thalia thandi thandiwe thanh thao thea thelma theo theodor theodora
  theodore theresa therese theresia thiago thibault thierry thijs thom thomas thorben thorsten thuy tia tiago tiana
  tiffany tiina tijmen tilda tilly tilman tilo tim timmy timo timothy timur tina tineke tito titus tiziana tobias
  tobin toby tod todd tolga tom tomas tomasz tomaz tommy tomoko toni tonia tonino tony topher tor tora torben tore
  tori torsten toshi tova tove tracey tracy trang traudl travis trent trenton trevor tricia trina trine trish trisha
  trishna tristan troels trond troy trudi trudy truman trung trygve tsubasa tuan tucker tugba tuncay tunde tuomas
  tuula tyler tymon tyrone tyson uche uday udo ufuk ugo ulf ulla ulli ulrich ulrik ulrike uma umar umberto umit una
  unai ursula urszula usha usman ute utkarsh uwe uxia uzma vaclav vadim vaibhav valentin valentina valentine valeria
  valerie valerio valery vance vanessa varun vasco vasil vasilis vasyl veikko veit vera verena verity vern vernon
  veronica veronika vesna vibeke vic vicente vicki vickie vicky victoire victor victoria vidar vidya vijay vikas
  vikram viktor viktoria ville vilma vinay vince vincent vincenzo vineet vinh vinod viola violeta violetta virgil
  virginie vishal vishnu vitaliy vitaly vito vittoria vittorio viv vivek vivian viviana vivien vivienne vlad
  vladimir vladislav volker volkmar volodya volodymyr vyacheslav wade wael wafa waldemar waleed walid wallace wally
  walt walter waltraud wambui wanda wanjiru warren waseem wayne wei wen wendell wendy wenzel werner wes wesley
  whitney wiebke wiktor wiktoria wilbert wilbur wiley wilfred wilhelm wilhelmina willa willem willemijn william
  willie willis willow wilma wilson wim winfried winifred winnie winston wioletta witold wladyslaw wojciech wolfgang
  wolfram woodrow wout wouter wyatt xabier xander xaver xavi xavier xenia xia xiang xiao ximena xin xiomara xoan
  yael yago yahya yamato yan yana yanis yann yannick yara yaroslav yasemin yash yasin yasmin yasmine yasser yavuz
  yaw yazan yelena yesenia yetunde yevgeny yevhen yildiz yilmaz ying ylva yogesh yoko yolanda yonatan yong yosef
  yoshi yoshiko yosuke younes youssef yui yuki yukiko yulia yumi yun yuri yuriy yury yusuf yuta yutaka yuto yvan
  yves yvette yvonne zach zachary zack zadie zafer zahra zaid zaina zainab zaira zak zaki zane zara zbigniew zdenek
  zehra zeina zeinab zelda zeynep zhanna zhen ziad zoe zofia zola zoltan zora zoran zuhair zulema zuzana zuzanna
  zygmunt
`);

/**
 * Given names that are also words or months. Such a word counts as a name only if a cue shows a person, or if the word
 * is not the first of its sentence. A calendar word always needs a cue.
 */
export const WORDLIKE_FIRST_NAMES = wordSet(`
  al amber angel april art ash august autumn basil bill brandy bud buddy cal cam candy carol chance chase cherry
  chip christian clay cliff cooper coral crystal daisy dale dawn dean dee dom dot drew earl em ev eve faith fang
  fern flora frank gene ginger grace grant harmony hazel heather hind honey hope hunter iris ivy jack jan jay joy
  jun june kay lane laurel lee les lily maki marina mark mason max may melody mercy miles misty mo nat norm olive
  pat patience pearl penny pepper poppy ray reed rich rob robin rod roger roman ron rose rowan ruby rune rusty sal
  sandy savannah sid skip skye star sue summer tad tanner tone trinity val violet von will wren yuan
`);
