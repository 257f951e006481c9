<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name>lk::AclCommand</name>
    <message>
        <source>Nothing in this database can be read.</source>
        <translation>Nichts in dieser Datenbank kann gelesen werden.</translation>
    </message>
    <message>
        <source>Keys outside this user&apos;s key patterns are skipped and counted.</source>
        <translation>Keys außerhalb der Key-Muster dieses Benutzers werden übersprungen und gezählt.</translation>
    </message>
    <message>
        <source>Changes are found by polling only. Actions that publish are refused.</source>
        <translation>Änderungen werden nur durch Polling gefunden. Aktionen, die etwas publizieren, werden abgelehnt.</translation>
    </message>
    <message>
        <source>Changes are found by polling only.</source>
        <translation>Änderungen werden nur durch Polling gefunden.</translation>
    </message>
    <message>
        <source>unknown user</source>
        <translation>unbekannter Benutzer</translation>
    </message>
    <message>
        <source>Nothing is missing that reading and acting need.
</source>
        <translation>Nichts fehlt, was zum Lesen und für Aktionen nötig ist.
</translation>
    </message>
    <message>
        <source>Nothing is missing that reading needs.
</source>
        <translation>Nichts fehlt, was zum Lesen nötig ist.
</translation>
    </message>
    <message>
        <source>Missing:
</source>
        <translation>Es fehlen:
</translation>
    </message>
    <message>
        <source>Missing: %1 of %2 commands
</source>
        <translation>Es fehlen: %1 von %2 Befehlen
</translation>
    </message>
    <message>
        <source>Unknown: this user may not run ACL DRYRUN, or this version lacks it: %1
</source>
        <translation>Unbekannt: Dieser Benutzer darf ACL DRYRUN nicht ausführen, oder diese Version hat es nicht: %1
</translation>
    </message>
    <message>
        <source>Grant it with:
</source>
        <translation>Zu gewähren mit:
</translation>
    </message>
    <message>
        <source>This version has no ACL users: anyone who can connect can do everything.
</source>
        <translation>Diese Version hat keine ACL-Benutzer: Wer sich verbinden kann, darf alles.
</translation>
    </message>
    <message>
        <source>The same on other masters: %1
</source>
        <translation>Ebenso auf anderen Mastern: %1
</translation>
    </message>
</context>
<context>
    <name>lk::ActCommand</name>
    <message>
        <source>%1 is too large</source>
        <translation>%1 ist zu groß</translation>
    </message>
    <message>
        <source>Standard input is empty; nothing was changed</source>
        <translation>Die Standardeingabe ist leer; nichts wurde geändert</translation>
    </message>
    <message>
        <source>%1 is empty; nothing was changed</source>
        <translation>%1 ist leer; nichts wurde geändert</translation>
    </message>
    <message numerus="yes">
        <source>%n incomplete line(s) of the journal were skipped</source>
        <translation>
            <numerusform>%n unvollständige Zeile des Journals wurde übersprungen</numerusform>
            <numerusform>%n unvollständige Zeilen des Journals wurden übersprungen</numerusform>
        </translation>
    </message>
    <message>
        <source>other users can read --%1 on the command line; use --%1 - or --%1-file FILE</source>
        <translation>andere Benutzer können --%1 auf der Befehlszeile lesen; besser --%1 - oder --%1-file DATEI</translation>
    </message>
</context>
<context>
    <name>lk::ActCommands</name>
    <message>
        <source>Print the plan and change nothing.</source>
        <translation>Den Plan ausgeben und nichts ändern.</translation>
    </message>
    <message>
        <source>Skip the confirmation. Default: ask; without a terminal nothing is done</source>
        <translation>Ohne Nachfrage ausführen. Vorgabe: nachfragen; ohne Terminal geschieht nichts</translation>
    </message>
    <message>
        <source>Record this in the journal; required with --environment production. Default: none</source>
        <translation>Dies im Journal vermerken; Pflicht mit --environment production. Vorgabe: keine</translation>
    </message>
    <message>
        <source>Print the receipt, or the journal, as JSON. Default: text</source>
        <translation>Den Beleg oder das Journal als JSON ausgeben. Vorgabe: Text</translation>
    </message>
    <message>
        <source>Name what the server is for; &quot;production&quot; asks for a reason. Default: none</source>
        <translation>Angeben, wofür der Server da ist; &quot;production&quot; verlangt eine Begründung. Vorgabe: keine</translation>
    </message>
    <message>
        <source>; default: %1</source>
        <translation>; Vorgabe: %1</translation>
    </message>
    <message>
        <source>%1 (&quot;-&quot;: read it from standard input)</source>
        <translation>%1 (&quot;-&quot;: von der Standardeingabe lesen)</translation>
    </message>
    <message>
        <source>Read it from this file: other users can see command-line arguments.</source>
        <translation>Aus dieser Datei lesen: Argumente der Befehlszeile können andere Benutzer sehen.</translation>
    </message>
    <message>
        <source>Requeue jobs that have been in progress for longer. Default: stuck_after of the configuration file, else 30s</source>
        <translation>Jobs erneut einreihen, die länger in Arbeit sind. Vorgabe: stuck_after der Konfigurationsdatei, sonst 30s</translation>
    </message>
    <message>
        <source>undo an action, or a group of them, if nothing has changed since</source>
        <translation>eine Aktion oder eine Gruppe rückgängig machen, wenn sich seither nichts geändert hat</translation>
    </message>
    <message>
        <source>print what was run on that server from this account</source>
        <translation>ausgeben, was von diesem Konto auf dem Server ausgeführt wurde</translation>
    </message>
    <message>
        <source>Run one action: planned, confirmed, guarded on the server, sent once, journaled,
undoable.</source>
        <translation>Eine Aktion ausführen: geplant, bestätigt, auf dem Server abgesichert, einmal gesendet,
im Journal, rückgängig zu machen.</translation>
    </message>
    <message>
        <source>Usage:</source>
        <translation>Aufruf:</translation>
    </message>
    <message>
        <source>Options of every action:</source>
        <translation>Optionen jeder Aktion:</translation>
    </message>
    <message>
        <source>  --payload-file FILE, --owner-file FILE
                         Read it from this file; --payload - and --owner - read
                         standard input. Other users can read arguments.
act KIND VERB --help describes the options of one action.
</source>
        <translation>  --payload-file FILE, --owner-file FILE
                         Aus dieser Datei lesen; --payload - und --owner - lesen die
                         Standardeingabe. Argumente können andere Benutzer lesen.
act KIND VERB --help beschreibt die Optionen einer Aktion.
</translation>
    </message>
    <message>
        <source>Example:</source>
        <translation>Beispiel:</translation>
    </message>
    <message>
        <source>Stop after this long. Default: 10m</source>
        <translation>Nach dieser Dauer beenden. Vorgabe: 10m</translation>
    </message>
    <message>
        <source>Names are written as snapshot shows them, with \xNN for bytes that are not text.
Exit codes: 0 done, 1 conflict, refused or outcome unknown, 2 wrong use or no connection.
</source>
        <translation>Namen werden so geschrieben, wie snapshot sie zeigt, mit \xNN für Bytes, die kein Text sind.
Exit-Codes: 0 ausgeführt, 1 Konflikt, abgelehnt oder Ergebnis unbekannt, 2 falsche Verwendung oder keine Verbindung.
</translation>
    </message>
    <message>
        <source>requeue stuck jobs every few seconds until stopped; only one console does so at a time</source>
        <translation>hängende Jobs alle paar Sekunden wieder einreihen, bis es beendet wird; das tut immer nur eine Konsole zugleich</translation>
    </message>
</context>
<context>
    <name>lk::ActInvocation</name>
    <message>
        <source>--json is for receipts; a plan is printed as text</source>
        <translation>--json ist für Belege; ein Plan wird als Text ausgegeben</translation>
    </message>
    <message>
        <source>act needs the address of a server; see act --help</source>
        <translation>act braucht die Adresse eines Servers; mehr mit act --help</translation>
    </message>
    <message>
        <source>act needs a kind and a verb; act --help lists all</source>
        <translation>act braucht die Angabe, was zu tun ist; act --help listet alles auf</translation>
    </message>
    <message>
        <source>undo needs a receipt</source>
        <translation>undo braucht einen Beleg</translation>
    </message>
    <message>
        <source>%1 needs a verb; act --help lists all</source>
        <translation>%1 braucht ein Verb; act --help listet alle auf</translation>
    </message>
    <message>
        <source>%1 %2 needs a name</source>
        <translation>%1 %2 braucht einen Namen</translation>
    </message>
    <message>
        <source>Only one value can be read from standard input</source>
        <translation>Nur ein Wert kann von der Standardeingabe gelesen werden</translation>
    </message>
    <message>
        <source>Unknown kind %1; act --help lists all</source>
        <translation>Unbekannte Art %1; act --help nennt alle</translation>
    </message>
    <message>
        <source>%1 has no verb %2; act --help lists all</source>
        <translation>%1 hat kein Verb %2; act --help nennt alle</translation>
    </message>
    <message>
        <source>--%1 takes a duration from 1ms to 1d, such as 30s</source>
        <translation>--%1 verlangt eine Dauer von 1ms bis 1d, etwa 30s</translation>
    </message>
    <message>
        <source>queue auto-requeue needs a name</source>
        <translation>queue auto-requeue braucht einen Namen</translation>
    </message>
</context>
<context>
    <name>lk::ActSession</name>
    <message>
        <source>%1 is not a token&apos;s name: the digest of so short a code differs in each output. Give the whole code</source>
        <translation>%1 ist kein Token-Name: Der Digest eines so kurzen Codes ist in jeder Ausgabe ein anderer. Geben Sie den ganzen Code an</translation>
    </message>
    <message>
        <source>%1 not found</source>
        <translation>%1 nicht gefunden</translation>
    </message>
    <message>
        <source>%1 exists, but is not recognized: declare it in the configuration</source>
        <translation>%1 existiert, ist aber nicht erkannt: deklarieren Sie es in der Konfiguration</translation>
    </message>
    <message>
        <source>%2 is a %3, which does not support %1</source>
        <translation>%2 (%3) unterstützt %1 nicht</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>ja</translation>
    </message>
    <message>
        <source>--reason is required on production</source>
        <translation>In Produktion ist --reason Pflicht</translation>
    </message>
    <message>
        <source>Nothing was changed: not a terminal; use --yes</source>
        <translation>Nichts wurde geändert: kein Terminal; --yes verwenden</translation>
    </message>
    <message>
        <source>Type %1 to continue: </source>
        <translation>Zum Fortfahren %1 eingeben: </translation>
    </message>
    <message>
        <source>Nothing was changed.</source>
        <translation>Nichts wurde geändert.</translation>
    </message>
    <message>
        <source>%1. %2, receipt %3</source>
        <translation>%1. %2, Beleg %3</translation>
    </message>
    <message>
        <source>its code could not be printed</source>
        <translation>sein Code konnte nicht ausgegeben werden</translation>
    </message>
    <message>
        <source>%1. The token was revoked again, receipt %2</source>
        <translation>%1. Das Token wurde wieder widerrufen, Beleg %2</translation>
    </message>
    <message>
        <source>%1, and the token %2 could not be revoked (%3): it is valid until it expires</source>
        <translation>%1, und das Token %2 konnte nicht widerrufen werden (%3): Es gilt, bis es abläuft</translation>
    </message>
    <message>
        <source>%1 was not undone: %2</source>
        <translation>%1 wurde nicht rückgängig gemacht: %2</translation>
    </message>
    <message numerus="yes">
        <source>%Ln more step(s) like this one, %1 jobs in total</source>
        <translation>
            <numerusform>%Ln weiterer Schritt wie dieser, insgesamt %1 Jobs</numerusform>
            <numerusform>%Ln weitere Schritte wie dieser, insgesamt %1 Jobs</numerusform>
        </translation>
    </message>
    <message>
        <source>The master is %1 now and the plan is void: run the command again</source>
        <translation>Der Master ist jetzt %1, und der Plan gilt nicht mehr: führen Sie den Befehl noch einmal aus</translation>
    </message>
</context>
<context>
    <name>lk::ActText</name>
    <message>
        <source>%1 prints the state (read-only)</source>
        <translation>%1 gibt den Zustand aus (nur lesend)</translation>
    </message>
    <message>
        <source>server</source>
        <translation>Server</translation>
    </message>
    <message>
        <source>keys</source>
        <translation>Keys</translation>
    </message>
    <message>
        <source>current state</source>
        <translation>aktueller Stand</translation>
    </message>
    <message>
        <source>only if</source>
        <translation>nur wenn</translation>
    </message>
    <message>
        <source>runs</source>
        <translation>Befehl</translation>
    </message>
    <message>
        <source>undo</source>
        <translation>rückgängig</translation>
    </message>
    <message>
        <source>receipt</source>
        <translation>Beleg</translation>
    </message>
    <message>
        <source>now</source>
        <translation>jetzt</translation>
    </message>
    <message>
        <source>check</source>
        <translation>prüfen</translation>
    </message>
    <message>
        <source>act URL undo %1, %2</source>
        <translation>act URL undo %1, %2</translation>
    </message>
    <message>
        <source>not possible: %1</source>
        <translation>nicht möglich: %1</translation>
    </message>
    <message>
        <source>%1 as %2</source>
        <translation>%1 als %2</translation>
    </message>
    <message>
        <source>No actions were run on this server from this account.</source>
        <translation>Von diesem Konto wurden auf diesem Server keine Aktionen ausgeführt.</translation>
    </message>
    <message>
        <source>node</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%1 auf %2</translation>
    </message>
    <message>
        <source>this is the state as read now; other clients may change it. To read it again: %1</source>
        <translation>das ist der Zustand, wie er jetzt gelesen wurde; andere Clients können ihn ändern. Erneut lesen: %1</translation>
    </message>
</context>
<context>
    <name>lk::Action</name>
    <message>
        <source>%1 must be a whole number, 1 or more</source>
        <translation>%1 muss eine ganze Zahl ab 1 sein</translation>
    </message>
    <message>
        <source>%1 takes %2</source>
        <translation>%1 akzeptiert %2</translation>
    </message>
    <message>
        <source>it no longer exists</source>
        <translation>existiert nicht mehr</translation>
    </message>
    <message>
        <source>%1 does not take --%2</source>
        <translation>%1 kennt --%2 nicht</translation>
    </message>
    <message>
        <source>%1 needs --%2</source>
        <translation>%1 braucht --%2</translation>
    </message>
    <message>
        <source>It does not support this action</source>
        <translation>Diese Aktion wird nicht unterstützt</translation>
    </message>
    <message>
        <source>Check the next request</source>
        <translation>Nächste Anfrage prüfen</translation>
    </message>
    <message>
        <source>check whether the next request would pass, without making it</source>
        <translation>prüfen, ob die nächste Anfrage durchkäme, ohne sie zu stellen</translation>
    </message>
    <message>
        <source>Check the next request to %1?</source>
        <translation>Nächste Anfrage an %1 prüfen?</translation>
    </message>
    <message>
        <source>It would pass: nothing is counted at the moment</source>
        <translation>Sie käme durch: Im Moment ist nichts gezählt</translation>
    </message>
    <message>
        <source>It would be rejected: %1 of its permits are neither available nor used; repair the value</source>
        <translation>Sie würde abgewiesen: %1 Permits sind weder verfügbar noch belegt; reparieren Sie den Wert</translation>
    </message>
    <message>
        <source>It would be rejected: the next one passes in %1</source>
        <translation>Sie würde abgewiesen: Die nächste kommt in %1 durch</translation>
    </message>
    <message>
        <source>It would pass: %1 of %2 remaining</source>
        <translation>Sie käme durch: %1 von %2 übrig</translation>
    </message>
    <message>
        <source>It would be rejected; when the next one passes is unknown</source>
        <translation>Sie würde abgewiesen; wann die nächste durchkommt, ist unbekannt</translation>
    </message>
    <message>
        <source>The limit is unknown: declare it in a configuration file and pass that with --config</source>
        <translation>Das Limit ist unbekannt: Deklarieren Sie es in einer Konfigurationsdatei und übergeben Sie diese mit --config</translation>
    </message>
    <message>
        <source>Job</source>
        <translation>Job</translation>
    </message>
    <message>
        <source>the Nth job as snapshot lists them, 1 for the oldest</source>
        <translation>der N-te Job in der Reihenfolge von snapshot, 1 ist der älteste</translation>
    </message>
    <message>
        <source>Older than</source>
        <translation>Älter als</translation>
    </message>
    <message>
        <source>only jobs in progress for longer than this</source>
        <translation>nur Jobs, die schon länger in Arbeit sind</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>every job that is there now</source>
        <translation>alle Jobs, die jetzt da sind</translation>
    </message>
    <message>
        <source>Jobs</source>
        <translation>Jobs</translation>
    </message>
    <message>
        <source>selected jobs, by fingerprint</source>
        <translation>ausgewählte Jobs, nach Fingerprint</translation>
    </message>
    <message>
        <source>From</source>
        <translation>Von</translation>
    </message>
    <message>
        <source>which list, if the queue has several</source>
        <translation>welche Liste, falls die Warteschlange mehrere hat</translation>
    </message>
    <message>
        <source>At most</source>
        <translation>Höchstens</translation>
    </message>
    <message>
        <source>at most this many jobs, oldest first</source>
        <translation>höchstens so viele Jobs, die ältesten zuerst</translation>
    </message>
    <message>
        <source>Where to</source>
        <translation>Wohin</translation>
    </message>
    <message>
        <source>next: processed first; back: processed last</source>
        <translation>next: als Nächstes verarbeitet; back: zuletzt verarbeitet</translation>
    </message>
    <message>
        <source>The queue has several lists of this kind: choose one with --from</source>
        <translation>Die Warteschlange hat mehrere Listen dieser Art: mit --from eine auswählen</translation>
    </message>
    <message>
        <source>The queue has no such list: %1</source>
        <translation>Die Warteschlange hat keine solche Liste: %1</translation>
    </message>
    <message>
        <source>Choose jobs with --index, --older-than or --all</source>
        <translation>Jobs mit --index, --older-than oder --all auswählen</translation>
    </message>
    <message>
        <source>The list could not be read</source>
        <translation>Die Liste konnte nicht gelesen werden</translation>
    </message>
    <message numerus="yes">
        <source>The age of %Ln job(s) is unknown because this is the first read. Try again later, or use --index</source>
        <translation>
            <numerusform>Das Alter von %Ln Job ist unbekannt, weil er zum ersten Mal gelesen wird. Versuchen Sie es später erneut oder verwenden Sie --index</numerusform>
            <numerusform>Das Alter von %Ln Jobs ist unbekannt, weil sie zum ersten Mal gelesen werden. Versuchen Sie es später erneut oder verwenden Sie --index</numerusform>
        </translation>
    </message>
    <message>
        <source>No job in %1 has been there for %2 yet</source>
        <translation>Noch kein Job ist seit %2 in %1</translation>
    </message>
    <message>
        <source>%1 has no such job</source>
        <translation>%1 hat keinen solchen Job</translation>
    </message>
    <message numerus="yes">
        <source>and %Ln more</source>
        <translation>
            <numerusform>und %Ln weiterer</numerusform>
            <numerusform>und %Ln weitere</numerusform>
        </translation>
    </message>
    <message>
        <source>no job is waiting</source>
        <translation>kein Job wartet</translation>
    </message>
    <message>
        <source>no job is delayed</source>
        <translation>kein Job ist verzögert</translation>
    </message>
    <message>
        <source>no job is dead-lettered</source>
        <translation>kein Job ist in Dead Letters</translation>
    </message>
    <message>
        <source>no job is in progress</source>
        <translation>kein Job ist in Arbeit</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>Verwerfen</translation>
    </message>
    <message>
        <source>Requeue</source>
        <translation>Erneut einreihen</translation>
    </message>
    <message>
        <source>Promote</source>
        <translation>Vorziehen</translation>
    </message>
    <message>
        <source>Move to dead letters</source>
        <translation>In Dead Letters verschieben</translation>
    </message>
    <message>
        <source>Retry</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>return jobs in progress to the queue</source>
        <translation>Jobs in Arbeit in die Warteschlange zurückgeben</translation>
    </message>
    <message>
        <source>make delayed jobs available to workers now</source>
        <translation>verzögerte Jobs sofort für Worker freigeben</translation>
    </message>
    <message>
        <source>move jobs to the list of dead letters</source>
        <translation>Jobs in die Liste der Dead Letters verschieben</translation>
    </message>
    <message>
        <source>return dead-lettered jobs to the queue</source>
        <translation>Jobs aus Dead Letters in die Warteschlange zurückgeben</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>ready: waiting; processing: in progress; delayed; dead</source>
        <translation>ready: wartend; processing: in Arbeit; delayed: verzögert; dead: in Dead Letters</translation>
    </message>
    <message>
        <source>no job is there</source>
        <translation>dort ist kein Job</translation>
    </message>
    <message numerus="yes">
        <source>Discard %Ln job(s) of %1?</source>
        <translation>
            <numerusform>%Ln Job aus %1 verwerfen?</numerusform>
            <numerusform>%Ln Jobs aus %1 verwerfen?</numerusform>
        </translation>
    </message>
    <message>
        <source>The jobs are removed and never processed.</source>
        <translation>Die Jobs werden entfernt und nie verarbeitet.</translation>
    </message>
    <message numerus="yes">
        <source>Requeue %Ln job(s) of %1?</source>
        <translation>
            <numerusform>%Ln Job aus %1 erneut einreihen?</numerusform>
            <numerusform>%Ln Jobs aus %1 erneut einreihen?</numerusform>
        </translation>
    </message>
    <message>
        <source>Another worker will pick these jobs up. If the original worker is still alive, a job runs twice.</source>
        <translation>Ein anderer Worker übernimmt diese Jobs. Falls der ursprüngliche Worker noch lebt, läuft ein Job zweimal.</translation>
    </message>
    <message numerus="yes">
        <source>Move %Ln job(s) of %1 to dead letters?</source>
        <translation>
            <numerusform>%Ln Job aus %1 in Dead Letters verschieben?</numerusform>
            <numerusform>%Ln Jobs aus %1 in Dead Letters verschieben?</numerusform>
        </translation>
    </message>
    <message>
        <source>Workers do not process them until they are retried.</source>
        <translation>Worker verarbeiten sie nicht, bis sie erneut versucht werden.</translation>
    </message>
    <message numerus="yes">
        <source>Promote %Ln job(s) of %1?</source>
        <translation>
            <numerusform>%Ln Job aus %1 vorziehen?</numerusform>
            <numerusform>%Ln Jobs aus %1 vorziehen?</numerusform>
        </translation>
    </message>
    <message>
        <source>Workers process them now instead of when they are due.</source>
        <translation>Worker verarbeiten sie jetzt statt zum Fälligkeitszeitpunkt.</translation>
    </message>
    <message numerus="yes">
        <source>Retry %Ln job(s) of %1?</source>
        <translation>
            <numerusform>%Ln Job aus %1 erneut versuchen?</numerusform>
            <numerusform>%Ln Jobs aus %1 erneut versuchen?</numerusform>
        </translation>
    </message>
    <message>
        <source>Workers process them again; what failed may fail again.</source>
        <translation>Worker verarbeiten sie erneut; was fehlgeschlagen ist, kann wieder fehlschlagen.</translation>
    </message>
    <message>
        <source>%1 of %2 in %3: %4</source>
        <translation>%1 von %2 in %3: %4</translation>
    </message>
    <message numerus="yes">
        <source>; %Ln of unknown age skipped</source>
        <translation>
            <numerusform>; %Ln mit unbekanntem Alter übersprungen</numerusform>
            <numerusform>; %Ln mit unbekanntem Alter übersprungen</numerusform>
        </translation>
    </message>
    <message>
        <source>each job is still in %1, byte for byte</source>
        <translation>jeder Job noch Byte für Byte in %1 steht</translation>
    </message>
    <message>
        <source>… and the same for each of the %1 jobs</source>
        <translation>… und dasselbe für jeden der %1 Jobs</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>Key</translation>
    </message>
    <message>
        <source>which of its keys; default: the main key</source>
        <translation>welcher der Keys; Standard: der Haupt-Key</translation>
    </message>
    <message>
        <source>No such key: %1</source>
        <translation>Kein solcher Key: %1</translation>
    </message>
    <message>
        <source>expires in %1</source>
        <translation>läuft in %1 ab</translation>
    </message>
    <message>
        <source>no TTL</source>
        <translation>ohne TTL</translation>
    </message>
    <message>
        <source>Set TTL</source>
        <translation>TTL setzen</translation>
    </message>
    <message>
        <source>set or remove the TTL of a key</source>
        <translation>TTL eines Keys setzen oder entfernen</translation>
    </message>
    <message>
        <source>TTL</source>
        <translation>TTL</translation>
    </message>
    <message>
        <source>from now, such as 10m</source>
        <translation>ab jetzt, z. B. 10m</translation>
    </message>
    <message>
        <source>No TTL</source>
        <translation>Ohne TTL</translation>
    </message>
    <message>
        <source>remove the TTL: the key stays until it is deleted</source>
        <translation>TTL entfernen: Der Key bleibt, bis er gelöscht wird</translation>
    </message>
    <message>
        <source>Give --ttl or --none</source>
        <translation>--ttl oder --none angeben</translation>
    </message>
    <message>
        <source>Set the TTL of %1 to %2?</source>
        <translation>TTL von %1 auf %2 setzen?</translation>
    </message>
    <message>
        <source>Remove the TTL of %1?</source>
        <translation>TTL von %1 entfernen?</translation>
    </message>
    <message>
        <source>The server deletes the key when the TTL ends.</source>
        <translation>Der Server löscht den Key, wenn die TTL abläuft.</translation>
    </message>
    <message>
        <source>The key stays until a client deletes it.</source>
        <translation>Der Key bleibt, bis ein Client ihn löscht.</translation>
    </message>
    <message>
        <source>type and TTL are unchanged</source>
        <translation>Typ und TTL unverändert sind</translation>
    </message>
    <message>
        <source>Delete key</source>
        <translation>Key löschen</translation>
    </message>
    <message>
        <source>delete a key if it is unchanged</source>
        <translation>einen Key löschen, wenn er unverändert ist</translation>
    </message>
    <message>
        <source>Delete the key %1?</source>
        <translation>Key %1 löschen?</translation>
    </message>
    <message>
        <source>Its data is gone for every client that uses it.</source>
        <translation>Die Daten sind für jeden Client verloren, der sie benutzt.</translation>
    </message>
    <message>
        <source>the type is unchanged; the value is too large to compare</source>
        <translation>der Typ unverändert ist; der Wert ist zu groß zum Vergleichen</translation>
    </message>
    <message>
        <source>its content is unchanged</source>
        <translation>der Inhalt unverändert ist</translation>
    </message>
    <message>
        <source>it is too large to keep</source>
        <translation>zu groß zum Aufheben</translation>
    </message>
    <message>
        <source>The key no longer exists</source>
        <translation>Der Key existiert nicht mehr</translation>
    </message>
    <message>
        <source>The value is too large to compare</source>
        <translation>Der Wert ist zu groß zum Vergleichen</translation>
    </message>
    <message>
        <source>The key could not be read</source>
        <translation>Der Key konnte nicht gelesen werden</translation>
    </message>
    <message>
        <source>There is no request mark to remove</source>
        <translation>Es gibt keine Anfragemarke zum Entfernen</translation>
    </message>
    <message>
        <source>The scores are not timestamps</source>
        <translation>Die Scores sind keine Zeitstempel</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>Zurücksetzen</translation>
    </message>
    <message>
        <source>reset a limiter&apos;s count and its reservations</source>
        <translation>Zähler und Reservierungen eines Limiters zurücksetzen</translation>
    </message>
    <message>
        <source>Consumer</source>
        <translation>Consumer</translation>
    </message>
    <message>
        <source>only this consumer or client</source>
        <translation>nur dieser Consumer oder Client</translation>
    </message>
    <message>
        <source>No such consumer: %1</source>
        <translation>Kein solcher Consumer: %1</translation>
    </message>
    <message>
        <source>Reset the limiter %1?</source>
        <translation>Limiter %1 zurücksetzen?</translation>
    </message>
    <message>
        <source>A full window of requests can pass at once; clients that were told to wait no longer need to.</source>
        <translation>Ein ganzes Fenster an Anfragen kann auf einmal durchkommen; Clients, die warten sollten, müssen es nicht mehr.</translation>
    </message>
    <message>
        <source>at least one of the keys exists</source>
        <translation>mindestens einer der Keys existiert</translation>
    </message>
    <message>
        <source>Cap the retry horizon</source>
        <translation>Retry-Horizont begrenzen</translation>
    </message>
    <message>
        <source>remove reservations too far in the future; default: all of them</source>
        <translation>Reservierungen entfernen, die zu weit in der Zukunft liegen; Standard: alle</translation>
    </message>
    <message>
        <source>Horizon</source>
        <translation>Horizont</translation>
    </message>
    <message>
        <source>the furthest a reservation may be in the future, such as 5s; default: remove all</source>
        <translation>wie weit eine Reservierung höchstens in der Zukunft liegen darf, z. B. 5s; Standard: alle entfernen</translation>
    </message>
    <message>
        <source>there are no reservations</source>
        <translation>es gibt keine Reservierungen</translation>
    </message>
    <message>
        <source>Cap the retry horizon of %1 at %2?</source>
        <translation>Retry-Horizont von %1 auf %2 begrenzen?</translation>
    </message>
    <message>
        <source>Clear the retry horizon of %1?</source>
        <translation>Retry-Horizont von %1 löschen?</translation>
    </message>
    <message>
        <source>Clients rejected from now on get a shorter retry-after. Clients that are already waiting retry when they were told to.</source>
        <translation>Ab jetzt abgewiesene Clients bekommen ein kürzeres Retry-After. Wer schon wartet, kommt zum genannten Zeitpunkt wieder.</translation>
    </message>
    <message>
        <source>the furthest reservation is %1 ahead</source>
        <translation>die letzte Reservierung liegt %1 in der Zukunft</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>unbekannt</translation>
    </message>
    <message>
        <source>the key is a sorted set</source>
        <translation>der Key ein Sorted Set ist</translation>
    </message>
    <message>
        <source>now + %1</source>
        <translation>jetzt + %1</translation>
    </message>
    <message>
        <source>Permits</source>
        <translation>Permits</translation>
    </message>
    <message>
        <source>how many more requests may pass</source>
        <translation>wie viele Anfragen zusätzlich durchkommen dürfen</translation>
    </message>
    <message>
        <source>Free permits</source>
        <translation>Permits freigeben</translation>
    </message>
    <message>
        <source>let this many more requests pass</source>
        <translation>so viele Anfragen zusätzlich durchlassen</translation>
    </message>
    <message>
        <source>The window is unknown: declare it</source>
        <translation>Das Fenster ist unbekannt: Deklarieren Sie es</translation>
    </message>
    <message>
        <source>Free %1 permits of %2?</source>
        <translation>%1 Permits von %2 freigeben?</translation>
    </message>
    <message>
        <source>That many more requests can pass within the window.</source>
        <translation>So viele Anfragen mehr können innerhalb des Fensters durchkommen.</translation>
    </message>
    <message>
        <source>the key is a sorted set with requests in the window</source>
        <translation>der Key ein Sorted Set mit Anfragen im Fenster ist</translation>
    </message>
    <message>
        <source>the %1 oldest in the window</source>
        <translation>die ersten %1 im Fenster</translation>
    </message>
    <message>
        <source>That many more requests can pass before the window resets.</source>
        <translation>So viele Anfragen mehr können bis zum Reset des Fensters durchkommen.</translation>
    </message>
    <message>
        <source>the key is a counter, and stays at 0 or above</source>
        <translation>der Key ein Zähler ist und nicht unter 0 fällt</translation>
    </message>
    <message>
        <source>Restore TTL</source>
        <translation>TTL wiederherstellen</translation>
    </message>
    <message>
        <source>restore the TTL of a counter, keeping its count; or correct a value that has drifted</source>
        <translation>die TTL eines Zählers bei gleichem Stand wiederherstellen oder einen abgedrifteten Wert korrigieren</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>Fenster</translation>
    </message>
    <message>
        <source>from now; default: the declared window</source>
        <translation>ab jetzt; Standard: das deklarierte Fenster</translation>
    </message>
    <message>
        <source>it has a TTL</source>
        <translation>hat eine TTL</translation>
    </message>
    <message>
        <source>It has a TTL: it expires in %1</source>
        <translation>Hat eine TTL: läuft in %1 ab</translation>
    </message>
    <message>
        <source>The window is unknown: use --ttl, or declare it</source>
        <translation>Das Fenster ist unbekannt: --ttl verwenden oder es deklarieren</translation>
    </message>
    <message>
        <source>Set the TTL of the counter %1 to %2?</source>
        <translation>TTL des Zählers %1 auf %2 setzen?</translation>
    </message>
    <message>
        <source>The count stays until then and starts at 0 afterwards.</source>
        <translation>Der Zählerstand bleibt bis dahin und beginnt danach bei 0.</translation>
    </message>
    <message>
        <source>, no TTL: it never resets</source>
        <translation>, ohne TTL: wird nie zurückgesetzt</translation>
    </message>
    <message>
        <source>the key still has no TTL</source>
        <translation>der Key immer noch keine TTL hat</translation>
    </message>
    <message>
        <source>Open gate</source>
        <translation>Gate öffnen</translation>
    </message>
    <message>
        <source>let the next call through</source>
        <translation>den nächsten Aufruf durchlassen</translation>
    </message>
    <message>
        <source>Open the gate %1?</source>
        <translation>Gate %1 öffnen?</translation>
    </message>
    <message>
        <source>The next call passes and closes the gate again.</source>
        <translation>Der nächste Aufruf kommt durch und schließt das Gate wieder.</translation>
    </message>
    <message>
        <source>closed, opens in %1</source>
        <translation>geschlossen, öffnet in %1</translation>
    </message>
    <message>
        <source>closed, no TTL</source>
        <translation>geschlossen, ohne TTL</translation>
    </message>
    <message>
        <source>the key exists and is a counter</source>
        <translation>der Key existiert und ein Zähler ist</translation>
    </message>
    <message>
        <source>held by %1, TTL %2</source>
        <translation>gehalten von %1, TTL %2</translation>
    </message>
    <message>
        <source>held by %1, no TTL</source>
        <translation>gehalten von %1, ohne TTL</translation>
    </message>
    <message>
        <source>the owner is still %1</source>
        <translation>der Besitzer immer noch %1 ist</translation>
    </message>
    <message>
        <source>The lock is held by %1, not by %2</source>
        <translation>Das Lock wird von %1 gehalten, nicht von %2</translation>
    </message>
    <message>
        <source>Owner</source>
        <translation>Besitzer</translation>
    </message>
    <message>
        <source>Release</source>
        <translation>Freigeben</translation>
    </message>
    <message>
        <source>release a lock if its owner is unchanged</source>
        <translation>ein Lock freigeben, wenn der Besitzer derselbe ist</translation>
    </message>
    <message>
        <source>Release the lock %1?</source>
        <translation>Lock %1 freigeben?</translation>
    </message>
    <message>
        <source>The lock becomes available immediately. The current owner is not notified and keeps working unless it checks.</source>
        <translation>Das Lock ist sofort verfügbar. Der aktuelle Besitzer wird nicht benachrichtigt und arbeitet weiter, sofern er nicht nachprüft.</translation>
    </message>
    <message>
        <source>set the TTL of a lock</source>
        <translation>die TTL eines Locks setzen</translation>
    </message>
    <message>
        <source>from now, such as 30s</source>
        <translation>ab jetzt, z. B. 30s</translation>
    </message>
    <message>
        <source>Set the TTL of the lock %1 to %2?</source>
        <translation>TTL des Locks %1 auf %2 setzen?</translation>
    </message>
    <message>
        <source>Unless its owner renews or releases it, the lock is free after that. An owner that renews it sets its own TTL again.</source>
        <translation>Wenn der Besitzer es nicht verlängert oder freigibt, ist das Lock danach frei. Verlängert er es, setzt er wieder seine eigene TTL.</translation>
    </message>
    <message>
        <source>Push job</source>
        <translation>Job einreihen</translation>
    </message>
    <message>
        <source>add a job to the queue</source>
        <translation>einen Job in die Warteschlange einreihen</translation>
    </message>
    <message>
        <source>Payload</source>
        <translation>Payload</translation>
    </message>
    <message>
        <source>the job, exactly as workers expect it</source>
        <translation>der Job, genau wie die Worker ihn erwarten</translation>
    </message>
    <message>
        <source>Push a job into %1?</source>
        <translation>Job in %1 einreihen?</translation>
    </message>
    <message>
        <source>A worker processes it like any other job.</source>
        <translation>Ein Worker verarbeitet ihn wie jeden anderen Job.</translation>
    </message>
    <message numerus="yes">
        <source>%Ln byte(s)</source>
        <translation>
            <numerusform>%Ln Byte</numerusform>
            <numerusform>%Ln Bytes</numerusform>
        </translation>
    </message>
    <message>
        <source>the key is a list or does not exist</source>
        <translation>der Key eine Liste ist oder nicht existiert</translation>
    </message>
    <message>
        <source>Rotate</source>
        <translation>Rotieren</translation>
    </message>
    <message>
        <source>move the member that is due to the back</source>
        <translation>das fällige Element ans Ende verschieben</translation>
    </message>
    <message>
        <source>The list is empty</source>
        <translation>Die Liste ist leer</translation>
    </message>
    <message>
        <source>Rotate %1 by one?</source>
        <translation>%1 um eins rotieren?</translation>
    </message>
    <message>
        <source>The member moves to the back of the list; nothing is lost.</source>
        <translation>Das Element rückt ans Ende der Liste; nichts geht verloren.</translation>
    </message>
    <message>
        <source>%1 is due</source>
        <translation>%1 ist fällig</translation>
    </message>
    <message>
        <source>it is still due</source>
        <translation>das Element noch fällig ist</translation>
    </message>
    <message>
        <source>Client</source>
        <translation>Client</translation>
    </message>
    <message>
        <source>which client, if each has permits of its own</source>
        <translation>welcher Client, falls jeder eigene Permits hat</translation>
    </message>
    <message>
        <source>Repair value</source>
        <translation>Wert reparieren</translation>
    </message>
    <message>
        <source>recalculate the available permits from those in use</source>
        <translation>die verfügbaren Permits aus den belegten neu berechnen</translation>
    </message>
    <message>
        <source>Each client has its own permits: choose one</source>
        <translation>Jeder Client hat eigene Permits: Wählen Sie einen aus</translation>
    </message>
    <message>
        <source>No such client</source>
        <translation>Kein solcher Client</translation>
    </message>
    <message>
        <source>Repair the value of %1?</source>
        <translation>Wert von %1 reparieren?</translation>
    </message>
    <message>
        <source>The stored number matches the permits again.</source>
        <translation>Die gespeicherte Zahl passt wieder zu den Permits.</translation>
    </message>
    <message>
        <source>That many more requests can pass within the interval.</source>
        <translation>So viele Anfragen mehr können innerhalb des Intervalls durchkommen.</translation>
    </message>
    <message>
        <source>%1 of %2 used</source>
        <translation>%1 von %2 belegt</translation>
    </message>
    <message>
        <source>how many are used is unknown</source>
        <translation>wie viele belegt sind, ist unbekannt</translation>
    </message>
    <message>
        <source>configuration, value and permits are as Redisson writes them</source>
        <translation>Konfiguration, Wert und Permits so sind, wie Redisson sie schreibt</translation>
    </message>
    <message>
        <source>Change rate</source>
        <translation>Rate ändern</translation>
    </message>
    <message>
        <source>set rate and interval, as the library&apos;s setRate does</source>
        <translation>Rate und Intervall setzen, wie setRate der Bibliothek</translation>
    </message>
    <message>
        <source>permits per interval</source>
        <translation>Permits pro Intervall</translation>
    </message>
    <message>
        <source>Interval</source>
        <translation>Intervall</translation>
    </message>
    <message>
        <source>such as 1m; default: unchanged</source>
        <translation>z. B. 1m; Standard: unverändert</translation>
    </message>
    <message>
        <source>The configuration is incomplete</source>
        <translation>Die Konfiguration ist unvollständig</translation>
    </message>
    <message>
        <source>Set the rate of %1 to %2 in %3?</source>
        <translation>Rate von %1 auf %2 in %3 setzen?</translation>
    </message>
    <message>
        <source>Permits in use are reset, as the library does. A service that sets its own rate on start sets it back.</source>
        <translation>Belegte Permits werden zurückgesetzt, wie es die Bibliothek tut. Ein Dienst, der seine Rate beim Start selbst setzt, stellt sie zurück.</translation>
    </message>
    <message>
        <source>%1 in %2</source>
        <translation>%1 in %2</translation>
    </message>
    <message>
        <source>rate and interval are unchanged</source>
        <translation>Rate und Intervall unverändert sind</translation>
    </message>
    <message>
        <source>not in use</source>
        <translation>nicht in Gebrauch</translation>
    </message>
    <message>
        <source>%1 used, limit unknown</source>
        <translation>%1 belegt, Limit unbekannt</translation>
    </message>
    <message>
        <source>Take over</source>
        <translation>Übernehmen</translation>
    </message>
    <message>
        <source>delete an expired timestamp lock</source>
        <translation>ein abgelaufenes Zeitstempel-Lock löschen</translation>
    </message>
    <message>
        <source>take over an expired timestamp lock</source>
        <translation>ein abgelaufenes Zeitstempel-Lock übernehmen</translation>
    </message>
    <message>
        <source>set the expiry of a timestamp lock</source>
        <translation>den Ablauf eines Zeitstempel-Locks setzen</translation>
    </message>
    <message>
        <source>it has not expired</source>
        <translation>ist nicht abgelaufen</translation>
    </message>
    <message>
        <source>The value is not a timestamp in seconds or milliseconds</source>
        <translation>Der Wert ist kein Zeitstempel in Sekunden oder Millisekunden</translation>
    </message>
    <message>
        <source>The lock has not expired: %1 left</source>
        <translation>Das Lock ist nicht abgelaufen: noch %1</translation>
    </message>
    <message>
        <source>Clear the expired lock %1?</source>
        <translation>Abgelaufenes Lock %1 zurücksetzen?</translation>
    </message>
    <message>
        <source>The lock becomes available immediately.</source>
        <translation>Das Lock ist sofort verfügbar.</translation>
    </message>
    <message>
        <source>Take over the expired lock %1 for %2?</source>
        <translation>Abgelaufenes Lock %1 für %2 übernehmen?</translation>
    </message>
    <message>
        <source>No other client gets it until then.</source>
        <translation>Bis dahin bekommt es kein anderer Client.</translation>
    </message>
    <message>
        <source>After that any client may take it over.</source>
        <translation>Danach kann es jeder Client übernehmen.</translation>
    </message>
    <message>
        <source>expired %1 ago</source>
        <translation>vor %1 abgelaufen</translation>
    </message>
    <message>
        <source>held, %1 left</source>
        <translation>gehalten, noch %1</translation>
    </message>
    <message>
        <source>the value is still %1</source>
        <translation>der Wert immer noch %1 ist</translation>
    </message>
    <message>
        <source>the value is still %1 and in the past by the server&apos;s clock</source>
        <translation>der Wert immer noch %1 ist und nach der Uhr des Servers in der Vergangenheit liegt</translation>
    </message>
    <message>
        <source>Lifetime</source>
        <translation>Lebensdauer</translation>
    </message>
    <message>
        <source>Issue</source>
        <translation>Ausstellen</translation>
    </message>
    <message>
        <source>issue a new one-time token</source>
        <translation>ein neues Einmal-Token ausstellen</translation>
    </message>
    <message>
        <source>Prefix</source>
        <translation>Präfix</translation>
    </message>
    <message>
        <source>prefix of the key&apos;s name, such as code:</source>
        <translation>Präfix des Key-Namens, z. B. code:</translation>
    </message>
    <message>
        <source>how long it is valid, such as 1h</source>
        <translation>wie lange es gilt, z. B. 1h</translation>
    </message>
    <message>
        <source>the value its redeemer gets; default: 1</source>
        <translation>der Wert, den der Einlösende bekommt; Standard: 1</translation>
    </message>
    <message>
        <source>Count uses</source>
        <translation>Verwendungen zählen</translation>
    </message>
    <message>
        <source>store a hash with used_by instead of a string</source>
        <translation>einen Hash mit used_by statt eines Strings speichern</translation>
    </message>
    <message>
        <source>Length</source>
        <translation>Länge</translation>
    </message>
    <message>
        <source>number of characters in the code</source>
        <translation>Zahl der Zeichen im Code</translation>
    </message>
    <message>
        <source>Alphabet</source>
        <translation>Alphabet</translation>
    </message>
    <message>
        <source>characters to make the code of</source>
        <translation>Zeichen, aus denen der Code besteht</translation>
    </message>
    <message>
        <source>This node of the cluster has no slots: connect to a master</source>
        <translation>Dieser Clusterknoten hat keine Slots: Verbinden Sie sich mit einem Master</translation>
    </message>
    <message>
        <source>%1 is in slot %2, served by %3: connect there, or leave out the braces</source>
        <translation>%1 liegt in Slot %2, zuständig ist %3: dort verbinden oder die geschweiften Klammern weglassen</translation>
    </message>
    <message>
        <source>nobody</source>
        <translation>niemand</translation>
    </message>
    <message>
        <source>Issue the token %1, valid for %2?</source>
        <translation>Token %1 mit Gültigkeit %2 ausstellen?</translation>
    </message>
    <message>
        <source>Anyone with the code can redeem it once. The code is shown only once.</source>
        <translation>Wer den Code hat, kann das Token einmal einlösen. Der Code wird nur einmal angezeigt.</translation>
    </message>
    <message numerus="yes">
        <source>%Ln byte(s) of payload</source>
        <translation>
            <numerusform>%Ln Byte Payload</numerusform>
            <numerusform>%Ln Bytes Payload</numerusform>
        </translation>
    </message>
    <message>
        <source>no such token exists</source>
        <translation>kein solches Token existiert</translation>
    </message>
    <message>
        <source>Check token</source>
        <translation>Token prüfen</translation>
    </message>
    <message>
        <source>check whether a token is valid, without using it</source>
        <translation>prüfen, ob ein Token gültig ist, ohne es zu verwenden</translation>
    </message>
    <message>
        <source>Check the token %1?</source>
        <translation>Token %1 prüfen?</translation>
    </message>
    <message>
        <source>Valid: %1</source>
        <translation>Gültig: %1</translation>
    </message>
    <message>
        <source>Not valid: %1</source>
        <translation>Ungültig: %1</translation>
    </message>
    <message>
        <source>Not valid: it does not exist (never issued, used or expired)</source>
        <translation>Ungültig: existiert nicht (nie ausgestellt, verbraucht oder abgelaufen)</translation>
    </message>
    <message>
        <source>Consume</source>
        <translation>Einlösen</translation>
    </message>
    <message>
        <source>Revoke</source>
        <translation>Widerrufen</translation>
    </message>
    <message>
        <source>use a token, as the application would</source>
        <translation>ein Token einlösen, wie es die Anwendung täte</translation>
    </message>
    <message>
        <source>delete a token if it is unchanged</source>
        <translation>ein Token löschen, wenn es unverändert ist</translation>
    </message>
    <message>
        <source>Consume the token %1?</source>
        <translation>Token %1 einlösen?</translation>
    </message>
    <message>
        <source>The code can no longer be redeemed.</source>
        <translation>Der Code kann nicht mehr eingelöst werden.</translation>
    </message>
    <message>
        <source>it exists and is not used</source>
        <translation>es existiert und nicht verbraucht ist</translation>
    </message>
    <message>
        <source>it exists</source>
        <translation>es existiert</translation>
    </message>
    <message>
        <source>Revoke the token %1?</source>
        <translation>Token %1 widerrufen?</translation>
    </message>
    <message>
        <source>The code is no longer valid.</source>
        <translation>Der Code gilt nicht mehr.</translation>
    </message>
    <message>
        <source>it is unchanged</source>
        <translation>es unverändert ist</translation>
    </message>
    <message>
        <source>Extend</source>
        <translation>Verlängern</translation>
    </message>
    <message>
        <source>set the remaining lifetime of a token</source>
        <translation>die restliche Lebensdauer eines Tokens setzen</translation>
    </message>
    <message>
        <source>from now, such as 1h</source>
        <translation>ab jetzt, z. B. 1h</translation>
    </message>
    <message>
        <source>Set the remaining lifetime of the token %1 to %2?</source>
        <translation>Restliche Lebensdauer des Tokens %1 auf %2 setzen?</translation>
    </message>
    <message>
        <source>It expires then, whether that is later or earlier than now.</source>
        <translation>Es läuft dann ab, ob das später oder früher ist als jetzt.</translation>
    </message>
    <message>
        <source>it exists and its expiry is unchanged</source>
        <translation>es existiert und sein Ablauf unverändert ist</translation>
    </message>
    <message>
        <source>Clean up</source>
        <translation>Bereinigen</translation>
    </message>
    <message>
        <source>delete the use count of a token that was never issued</source>
        <translation>den Verwendungszähler eines nie ausgestellten Tokens löschen</translation>
    </message>
    <message>
        <source>it was issued</source>
        <translation>wurde ausgestellt</translation>
    </message>
    <message>
        <source>Delete the use count of %1, which was never issued?</source>
        <translation>Verwendungszähler von %1 löschen, das nie ausgestellt wurde?</translation>
    </message>
    <message>
        <source>No token with this code was issued; nothing depends on the key.</source>
        <translation>Mit diesem Code wurde kein Token ausgestellt; nichts hängt an dem Key.</translation>
    </message>
    <message>
        <source>the use count is still all it holds</source>
        <translation>der Key weiterhin nur den Verwendungszähler enthält</translation>
    </message>
    <message>
        <source>The alphabet needs at least two different characters</source>
        <translation>Das Alphabet braucht mindestens zwei verschiedene Zeichen</translation>
    </message>
    <message>
        <source>%1 characters are too many: use at most %2</source>
        <translation>%1 Zeichen sind zu viele: höchstens %2</translation>
    </message>
    <message>
        <source>A code of %1 characters out of %2 can be guessed: use at least %3</source>
        <translation>Ein Code aus %1 Zeichen bei %2 möglichen lässt sich erraten: mindestens %3 verwenden</translation>
    </message>
    <message>
        <source>%1 was undone already, or is being undone</source>
        <translation>%1 wurde schon rückgängig gemacht oder wird es gerade</translation>
    </message>
    <message>
        <source>Whether %1 was undone is unknown, and the keys have changed since or are too large to compare: check them</source>
        <translation>Ob %1 rückgängig gemacht wurde, ist unbekannt, und die Keys haben sich seither geändert oder sind zu groß zum Vergleichen: Prüfen Sie sie</translation>
    </message>
    <message>
        <source>not possible: %1</source>
        <translation>nicht möglich: %1</translation>
    </message>
    <message>
        <source>until this program exits, unless the key changes; up to %1 per key, in memory only</source>
        <translation>bis dieses Programm endet, sofern sich der Key nicht ändert; bis zu %1 pro Key, nur im Arbeitsspeicher</translation>
    </message>
    <message>
        <source>for %1, unless the key changes; up to %2 per key</source>
        <translation>für %1, sofern sich der Key nicht ändert; bis zu %2 pro Key</translation>
    </message>
    <message>
        <source>The keys are in different slots of the cluster, so one script cannot change them together</source>
        <translation>Die Keys liegen in verschiedenen Slots des Clusters, ein Skript kann sie also nicht zusammen ändern</translation>
    </message>
    <message>
        <source>A different server now answers at this address</source>
        <translation>Unter dieser Adresse antwortet jetzt ein anderer Server</translation>
    </message>
    <message>
        <source>This server&apos;s Lua engine is not loaded (MODULE LIST), and without EVAL the action cannot be guarded</source>
        <translation>Die Lua-Engine dieses Servers ist nicht geladen (MODULE LIST), und ohne EVAL lässt sich die Aktion nicht absichern</translation>
    </message>
    <message>
        <source>EVAL is not available on this server, and without it the action cannot be guarded</source>
        <translation>EVAL ist auf diesem Server nicht verfügbar, und ohne EVAL lässt sich die Aktion nicht absichern</translation>
    </message>
    <message>
        <source>That action was run on %1</source>
        <translation>Diese Aktion lief auf %1</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig machen</translation>
    </message>
    <message>
        <source>Undo %1 of %2?</source>
        <translation>Aktion %1 an %2 rückgängig machen?</translation>
    </message>
    <message>
        <source>The keys are as they were before that action.</source>
        <translation>Die Keys sind wie vor dieser Aktion.</translation>
    </message>
    <message>
        <source>as the action left it</source>
        <translation>wie von der Aktion hinterlassen</translation>
    </message>
    <message>
        <source>unchanged since</source>
        <translation>seither unverändert</translation>
    </message>
    <message>
        <source>it is itself an undo</source>
        <translation>macht selbst eine Aktion rückgängig</translation>
    </message>
    <message>
        <source>More than a day has passed by the server&apos;s clock</source>
        <translation>Nach der Uhr des Servers ist mehr als ein Tag vergangen</translation>
    </message>
    <message>
        <source>until this program exits, unless the key changes; without a keyring it is kept in memory only</source>
        <translation>bis dieses Programm endet, sofern sich der Key nicht ändert; ohne Schlüsselbund nur im Arbeitsspeicher</translation>
    </message>
    <message>
        <source>This queue&apos;s %1 list has not been seen and is not declared. Declare it in the configuration file: %2</source>
        <translation>Die Liste %1 dieser Warteschlange wurde nicht gesehen und ist nicht deklariert. Deklarieren Sie sie in der Konfigurationsdatei: %2</translation>
    </message>
    <message>
        <source>The list %1 has not been seen and is not declared; workers may read from another one. Declare the list they read from in the configuration file: %2</source>
        <translation>Die Liste %1 wurde nicht gesehen und ist nicht deklariert; Worker lesen vielleicht aus einer anderen. Deklarieren Sie in der Konfigurationsdatei die Liste, aus der sie lesen: %2</translation>
    </message>
    <message>
        <source>The session ended before it was sent</source>
        <translation>Die Sitzung endete, bevor es gesendet wurde</translation>
    </message>
    <message>
        <source>Set lock TTL</source>
        <translation>Lock-TTL setzen</translation>
    </message>
    <message>
        <source>it belongs to %1, which alone acquires and releases it</source>
        <translation>gehört zu %1 und wird von dort belegt und freigegeben</translation>
    </message>
    <message>
        <source>The version of BullMQ that writes this queue is unknown</source>
        <translation>Die Warteschlange verrät nicht, welche Version von BullMQ sie schreibt</translation>
    </message>
    <message>
        <source>Only BullMQ 4 to 6 are supported, and this queue is written by %1</source>
        <translation>Bekannt sind hier nur die Versionen 4 bis 6 von BullMQ, und dies ist %1</translation>
    </message>
    <message>
        <source>%1 holds it %L2 times</source>
        <translation>%1 hält es %L2-mal</translation>
    </message>
    <message>
        <source>%1 holds it</source>
        <translation>%1 hält es</translation>
    </message>
    <message>
        <source>%1, TTL %2</source>
        <translation>%1, TTL %2</translation>
    </message>
    <message>
        <source>The lock is no longer held by %1</source>
        <translation>Das Lock wird nicht mehr von %1 gehalten</translation>
    </message>
    <message>
        <source>release a lock or a permit if its holder is unchanged</source>
        <translation>ein Lock oder Permit freigeben, wenn sein Halter es noch hat</translation>
    </message>
    <message>
        <source>the holder to release it for</source>
        <translation>welchem Halter es entzogen wird</translation>
    </message>
    <message>
        <source>nobody holds it</source>
        <translation>niemand hält es</translation>
    </message>
    <message>
        <source>%1 does not hold the lock</source>
        <translation>%1 hält das Lock nicht</translation>
    </message>
    <message>
        <source>Release the hold of %2 on %1?</source>
        <translation>%1 dem Halter %2 entziehen?</translation>
    </message>
    <message>
        <source>%1 still holds it</source>
        <translation>%1 es noch hält</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <comment>job id (job name)</comment>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>return jobs whose worker is gone to the queue</source>
        <translation>Jobs, deren Worker weg ist, in die Warteschlange zurückgeben</translation>
    </message>
    <message>
        <source>all jobs of the state, up to %1 at a time</source>
        <translation>alle Jobs in diesem Zustand, höchstens %1 auf einmal</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>only jobs that failed with exactly this error</source>
        <translation>nur Jobs, die mit genau diesem Fehler fehlgeschlagen sind</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>only jobs of this name</source>
        <translation>nur Jobs mit diesem Namen</translation>
    </message>
    <message>
        <source>the state of the jobs</source>
        <translation>der Zustand, in dem die Jobs sind</translation>
    </message>
    <message>
        <source>the worker of each job is alive</source>
        <translation>von jedem Job lebt der Worker</translation>
    </message>
    <message>
        <source>The queue no longer exists</source>
        <translation>Die Warteschlange existiert nicht mehr</translation>
    </message>
    <message>
        <source>Job %1 is not %2</source>
        <translation>Kein Job %1 in %2</translation>
    </message>
    <message>
        <source>Choose jobs with --job or --all</source>
        <translation>Jobs mit --job oder --all auswählen</translation>
    </message>
    <message>
        <source>The worker of each of these jobs is alive</source>
        <translation>Von jedem dieser Jobs lebt der Worker</translation>
    </message>
    <message>
        <source>There are no such jobs</source>
        <translation>Kein Job ist da</translation>
    </message>
    <message>
        <source>No more than %1 jobs can be chosen at a time</source>
        <translation>Höchstens %1 Jobs können auf einmal ausgewählt werden</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>each job is still in progress and nobody holds its lock</source>
        <translation>jeder Job noch in Arbeit ist und niemand sein Lock hält</translation>
    </message>
    <message>
        <source>each job is still %1</source>
        <translation>jeder Job noch in %1 ist</translation>
    </message>
    <message>
        <source>Resume queue</source>
        <translation>Warteschlange fortsetzen</translation>
    </message>
    <message>
        <source>Pause queue</source>
        <translation>Warteschlange pausieren</translation>
    </message>
    <message>
        <source>let workers take jobs again</source>
        <translation>Worker wieder Jobs nehmen lassen</translation>
    </message>
    <message>
        <source>stop workers from taking jobs</source>
        <translation>Worker keine weiteren Jobs nehmen lassen</translation>
    </message>
    <message>
        <source>the queue is not paused</source>
        <translation>Warteschlange nicht pausiert</translation>
    </message>
    <message>
        <source>the queue is already paused</source>
        <translation>die Warteschlange ist schon pausiert</translation>
    </message>
    <message>
        <source>Resume %1?</source>
        <translation>%1 fortsetzen?</translation>
    </message>
    <message>
        <source>Pause %1?</source>
        <translation>%1 pausieren?</translation>
    </message>
    <message>
        <source>Workers take jobs again.</source>
        <translation>Worker nehmen wieder Jobs.</translation>
    </message>
    <message>
        <source>Workers finish their current jobs and take no new ones; new jobs wait.</source>
        <translation>Worker beenden, was sie haben, und nehmen keine weiteren Jobs; neue Jobs warten.</translation>
    </message>
    <message>
        <source>the queue is paused</source>
        <translation>Warteschlange pausiert</translation>
    </message>
    <message>
        <source>pause the queue instead</source>
        <translation>stattdessen die Warteschlange pausieren</translation>
    </message>
    <message>
        <source>resume the queue instead</source>
        <translation>stattdessen die Warteschlange fortsetzen</translation>
    </message>
    <message>
        <source>The task is not among those that could be read</source>
        <translation>Der Task ist nicht unter denen, die gelesen werden konnten</translation>
    </message>
    <message>
        <source>each task is still unacknowledged</source>
        <translation>jeder Task noch unbestätigt ist</translation>
    </message>
    <message>
        <source>%1 is not a queue name of this library</source>
        <translation>%1 heißt nicht so, wie die Bibliothek eine Warteschlange nennt</translation>
    </message>
    <message>
        <source>The job is not among the first %1 of its state</source>
        <translation>Der Job ist nicht unter den ersten %1 seines Zustands</translation>
    </message>
    <message>
        <source>each job is still reserved, and its reservation has timed out</source>
        <translation>jeder Job noch reserviert ist, und zwar länger, als sein Worker ihn haben darf</translation>
    </message>
    <message>
        <source>Sidekiq keeps the jobs of a dead process only with reliable fetch</source>
        <translation>Sidekiq behält keinen Job, dessen Prozess weg ist, außer mit Reliable Fetch</translation>
    </message>
    <message>
        <source>The job is not in Sidekiq&apos;s format</source>
        <translation>Der Job ist nicht so geschrieben, wie Sidekiq ihn schreibt</translation>
    </message>
    <message>
        <source>each job is still there and its process has no heartbeat</source>
        <translation>jeder Job noch da ist und sein Prozess keinen Heartbeat hat</translation>
    </message>
    <message>
        <source>Only streams with one consumer group are supported</source>
        <translation>Nur für Streams mit einer einzigen Consumer-Gruppe</translation>
    </message>
    <message>
        <source>each entry is still pending for the same consumer, and idle for long enough</source>
        <translation>jeder Eintrag noch beim selben Consumer pending ist, und zwar länger als erlaubt</translation>
    </message>
    <message>
        <source>It has too many readers for one script</source>
        <translation>Zu viele Leser für ein einziges Skript</translation>
    </message>
    <message>
        <source>return permits, as the library&apos;s release does</source>
        <translation>Permits zurückgeben, wie es das Release der Bibliothek tut</translation>
    </message>
    <message>
        <source>how many to make available again</source>
        <translation>wie viele wieder verfügbar werden</translation>
    </message>
    <message>
        <source>Fewer permits are in use</source>
        <translation>So viele sind nicht belegt</translation>
    </message>
    <message>
        <source>Return %1 permits of %2?</source>
        <translation>%1 Permits von %2 zurückgeben?</translation>
    </message>
    <message>
        <source>That many more clients can acquire a permit immediately. Redis does not store who holds one: a permit that is still in use is handed out twice.</source>
        <translation>So viele Aufrufer mehr kommen sofort hinein. Redis verrät nicht, wer ein Permit hat: Eines, dessen Besitzer noch arbeitet, wird zweimal vergeben.</translation>
    </message>
    <message>
        <source>the available permits are still a number</source>
        <translation>der Wert der verfügbaren Permits noch eine Zahl ist</translation>
    </message>
    <message>
        <source>release a unique-job lock that no job holds</source>
        <translation>das Lock eines Digests freigeben, den kein Job hat</translation>
    </message>
    <message>
        <source>It has no jobs, or too many for one script</source>
        <translation>Keine Jobs oder zu viele für ein einziges Skript</translation>
    </message>
    <message>
        <source>There are too many jobs to check whether one still holds it</source>
        <translation>Ob noch ein Job es hat, lässt sich nicht sagen: zu viele Jobs zum Durchsehen</translation>
    </message>
    <message>
        <source>It was acquired less than a minute ago: its job may just have started</source>
        <translation>Es wurde vor weniger als einer Minute belegt: Vielleicht ist sein Job gerade erst gestartet</translation>
    </message>
    <message>
        <source>A job still holds it and releases it when it finishes</source>
        <translation>Ein Job hat es noch und gibt es frei, wenn er endet</translation>
    </message>
    <message>
        <source>Jobs with the same arguments can be enqueued and run again.</source>
        <translation>Jobs mit denselben Argumenten können wieder eingereiht werden und laufen.</translation>
    </message>
    <message>
        <source>no job in a queue, schedule, retry set or worker holds it</source>
        <translation>kein Job dazu in Warteschlange, Zeitplan, Retry oder Worker</translation>
    </message>
    <message>
        <source>the same jobs hold it</source>
        <translation>dieselben Jobs es halten</translation>
    </message>
    <message>
        <source>Likely a %1, but not proven to be one: check the key before you change it.</source>
        <translation>Wahrscheinlich %1, aber nicht erwiesen: Prüfen Sie den Key, bevor Sie ihn ändern.</translation>
    </message>
    <message>
        <source>--most takes up to %1</source>
        <translation>--most nimmt höchstens %1</translation>
    </message>
    <message numerus="yes">
        <source>%Ln job(s) per second; stopping it leaves the rest as it is.</source>
        <translation>
            <numerusform>%Ln Job pro Sekunde; beim Anhalten bleibt der Rest, wie er ist.</numerusform>
            <numerusform>%Ln Jobs pro Sekunde; beim Anhalten bleibt der Rest, wie er ist.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>At least %Ln more job(s) of that age will remain.</source>
        <translation>
            <numerusform>Mindestens %Ln weiterer Job dieses Alters bleibt übrig.</numerusform>
            <numerusform>Mindestens %Ln weitere Jobs dieses Alters bleiben übrig.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln more job(s) of that age will remain.</source>
        <translation>
            <numerusform>%Ln weiterer Job dieses Alters bleibt übrig.</numerusform>
            <numerusform>%Ln weitere Jobs dieses Alters bleiben übrig.</numerusform>
        </translation>
    </message>
    <message>
        <source>--rate takes up to %1</source>
        <translation>--rate nimmt höchstens %1</translation>
    </message>
    <message>
        <source>Workers do not process them until they are retried. Callbacks of the application do not run.</source>
        <translation>Worker verarbeiten sie nicht, bis sie erneut versucht werden. Callbacks der Anwendung laufen nicht.</translation>
    </message>
    <message>
        <source>Everything stored about these jobs is removed. Workers are not affected.</source>
        <translation>Alles, was zu diesen Jobs gespeichert ist, wird entfernt. Worker sind nicht betroffen.</translation>
    </message>
    <message>
        <source>at most this many jobs, up to %1; the rest is counted</source>
        <translation>höchstens so viele Jobs, bis zu %1; der Rest wird gezählt</translation>
    </message>
    <message>
        <source>Jobs per second</source>
        <translation>Jobs pro Sekunde</translation>
    </message>
    <message>
        <source>retry this many jobs per second, up to %1 jobs in total; default: all at once</source>
        <translation>so viele Jobs pro Sekunde erneut versuchen, insgesamt bis zu %1 Jobs; Standard: alle auf einmal</translation>
    </message>
    <message>
        <source>The queue is not named as the library names one</source>
        <translation>Die Warteschlange heißt nicht so, wie die Bibliothek eine nennt</translation>
    </message>
    <message>
        <source>the key is a stream</source>
        <translation>der Key ein Stream ist</translation>
    </message>
    <message>
        <source>The payload must be a JSON array</source>
        <translation>Die Payload muss ein JSON-Array sein</translation>
    </message>
    <message>
        <source>The payload must be a JSON array or object</source>
        <translation>Die Payload muss ein JSON-Array oder -Objekt sein</translation>
    </message>
    <message>
        <source>The payload must be a JSON object</source>
        <translation>Die Payload muss ein JSON-Objekt sein</translation>
    </message>
    <message>
        <source>the job&apos;s data as JSON</source>
        <translation>die Daten des Jobs als JSON</translation>
    </message>
    <message>
        <source>its arguments as a JSON array</source>
        <translation>seine Argumente als JSON-Array</translation>
    </message>
    <message>
        <source>its arguments as a JSON object</source>
        <translation>seine Argumente als JSON-Objekt</translation>
    </message>
    <message>
        <source>Job name</source>
        <translation>Jobname</translation>
    </message>
    <message>
        <source>the job&apos;s class, function or type, as workers know it</source>
        <translation>Klasse, Funktion oder Typ des Jobs, wie die Worker sie kennen</translation>
    </message>
    <message>
        <source>--name must not be empty</source>
        <translation>--name darf nicht leer sein</translation>
    </message>
    <message>
        <source>RQ has no prefix for the key that suspends its workers</source>
        <translation>RQ hat kein Präfix für den Key, der seine Worker aussetzt</translation>
    </message>
    <message>
        <source>No reply (%1): it ran once or not at all. It is not sent again. Check the state before you try again</source>
        <translation>Keine Antwort (%1): Es lief einmal oder gar nicht. Es wird nicht noch einmal gesendet. Prüfen Sie den Zustand, bevor Sie es erneut versuchen</translation>
    </message>
    <message>
        <source>without EVAL nothing is kept that could undo it</source>
        <translation>ohne EVAL wird nichts aufgehoben, womit es sich rückgängig machen ließe</translation>
    </message>
    <message>
        <source>The group of job %1 is unknown</source>
        <translation>Die Gruppe von Job %1 ist unbekannt</translation>
    </message>
    <message>
        <source>Another worker can receive them now. If the worker that has one is still alive, the job runs twice.</source>
        <translation>Ein anderer Worker kann sie jetzt empfangen. Lebt der Worker noch, der eine hat, läuft der Job doppelt.</translation>
    </message>
    <message>
        <source>They never become visible again. A worker that has one still processes it.</source>
        <translation>Sie werden nie wieder sichtbar. Ein Worker, der eine hat, verarbeitet sie trotzdem.</translation>
    </message>
    <message>
        <source>The type of job %1 is unknown</source>
        <translation>Der Typ von Job %1 ist unbekannt</translation>
    </message>
    <message>
        <source>each job is still in progress and its time to live is over</source>
        <translation>jeder Job noch in Arbeit ist und seine Lebenszeit vorbei ist</translation>
    </message>
    <message>
        <source>The job is not written as Resque writes it</source>
        <translation>Der Job ist nicht so geschrieben, wie Resque ihn schreibt</translation>
    </message>
    <message>
        <source>You are looking at the past; go back to live to act on it</source>
        <translation>Angezeigt wird die Vergangenheit; für Aktionen zurück zu live wechseln</translation>
    </message>
    <message>
        <source>No job finished longer ago than that</source>
        <translation>Kein Job ist vor so langer Zeit fertig geworden</translation>
    </message>
    <message>
        <source>each job is still %1, and has not finished again</source>
        <translation>jeder Job noch %1 ist und nicht erneut fertig geworden ist</translation>
    </message>
    <message>
        <source>only jobs that finished longer ago than this: 12h, 7d</source>
        <translation>nur Jobs, die vor längerer Zeit fertig wurden: 12h, 7d</translation>
    </message>
    <message>
        <source>job IDs, separated by commas</source>
        <translation>Job-IDs, durch Kommas getrennt</translation>
    </message>
    <message>
        <source>each job is still in progress and its worker missed a whole stall interval</source>
        <translation>jeder Job noch in Arbeit ist und sein Worker ein ganzes Stall-Intervall versäumt hat</translation>
    </message>
    <message>
        <source>The payload is not JSON</source>
        <translation>Die Payload ist kein JSON</translation>
    </message>
    <message>
        <source>The payload must be a JSON object with string values</source>
        <translation>Die Payload muss ein JSON-Objekt mit Zeichenketten als Werten sein</translation>
    </message>
    <message>
        <source>its arguments as a JSON array, or a JSON object if they are named</source>
        <translation>seine Argumente als JSON-Array oder, wenn sie benannt sind, als JSON-Objekt</translation>
    </message>
    <message>
        <source>the entry&apos;s fields as a JSON object with string values</source>
        <translation>die Felder des Eintrags als JSON-Objekt mit Zeichenketten als Werten</translation>
    </message>
    <message>
        <source>no job with its ID exists</source>
        <translation>kein Job mit seiner ID existiert</translation>
    </message>
    <message>
        <source>each job is still in progress and its worker has sent no heartbeat for five minutes</source>
        <translation>jeder Job noch in Arbeit ist und sein Worker seit fünf Minuten keinen Heartbeat gesendet hat</translation>
    </message>
    <message>
        <source>each job is still in progress and its worker has not renewed it in time</source>
        <translation>jeder Job noch in Arbeit ist und sein Worker ihn nicht rechtzeitig erneuert hat</translation>
    </message>
    <message>
        <source>All RQ workers of this server take jobs again.</source>
        <translation>Alle RQ-Worker dieses Servers nehmen wieder Jobs an.</translation>
    </message>
    <message>
        <source>All RQ workers of this server finish their current jobs and take no new ones; new jobs wait.</source>
        <translation>Alle RQ-Worker dieses Servers beenden ihre laufenden Jobs und nehmen keine neuen an; neue Jobs warten.</translation>
    </message>
    <message>
        <source>discard jobs permanently</source>
        <translation>Jobs endgültig verwerfen</translation>
    </message>
    <message>
        <source>Discard old jobs</source>
        <translation>Alte Jobs verwerfen</translation>
    </message>
    <message>
        <source>retry failed jobs</source>
        <translation>fehlgeschlagene Jobs wiederholen</translation>
    </message>
    <message>
        <source>move jobs to the dead letters, or to the library&apos;s equivalent</source>
        <translation>Jobs zu den Dead Letters verschieben oder dorthin, wo die Bibliothek solche hat</translation>
    </message>
    <message>
        <source>discard old finished or failed jobs, oldest first</source>
        <translation>alte fertige oder fehlgeschlagene Jobs verwerfen, die ältesten zuerst</translation>
    </message>
    <message>
        <source>discard jobs with everything stored about them</source>
        <translation>Jobs mit allem verwerfen, was über sie gespeichert ist</translation>
    </message>
    <message numerus="yes">
        <source>Discard %Ln old job(s) of %1?</source>
        <translation>
            <numerusform>%Ln alten Job von %1 verwerfen?</numerusform>
            <numerusform>%Ln alte Jobs von %1 verwerfen?</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, digest %2</source>
        <comment>a job by its size</comment>
        <translation>%1, Digest %2</translation>
    </message>
    <message>
        <source>Another worker will pick these jobs up and start them from the beginning. They are moved once; if the original worker is still alive, a job runs twice.</source>
        <translation>Ein anderer Worker übernimmt diese Jobs und beginnt sie von vorn. Sie werden einmal verschoben; lebt der ursprüngliche Worker noch, läuft ein Job zweimal.</translation>
    </message>
    <message>
        <source>only abandoned jobs in progress for longer than this</source>
        <translation>nur verlassene Jobs, die länger als so lange in Arbeit sind</translation>
    </message>
    <message>
        <source>The oldest was enqueued %1 ago: check that it is still wanted.</source>
        <translation>Der älteste wurde vor %1 eingereiht: Prüfen Sie, ob er noch gewollt ist.</translation>
    </message>
    <message>
        <source>No job is known to have been in progress for %1 yet</source>
        <translation>Von keinem Job ist bekannt, dass er schon %1 in Arbeit ist</translation>
    </message>
    <message numerus="yes">
        <source>%Ln job(s) are left out. %1.</source>
        <translation>
            <numerusform>%Ln Job bleibt ausgenommen. %1.</numerusform>
            <numerusform>%Ln Jobs bleiben ausgenommen. %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>a value that is not shown (%Ln byte(s), %1)</source>
        <translation>
            <numerusform>ein Wert, der nicht gezeigt wird (%Ln Byte, %1)</numerusform>
            <numerusform>ein Wert, der nicht gezeigt wird (%Ln Bytes, %1)</numerusform>
        </translation>
    </message>
    <message>
        <source>the value is still the one of %1, byte for byte</source>
        <translation>der Wert ist Byte für Byte noch der von %1</translation>
    </message>
    <message>
        <source>The lock&apos;s value is not the expected one; its digest is %1</source>
        <translation>Der Wert der Sperre ist nicht der erwartete; sein Digest ist %1</translation>
    </message>
    <message>
        <source>the value the lock must still have; of one that is not shown, its digest as the plan has it</source>
        <translation>der Wert, den die Sperre noch haben muss; von einem, der nicht gezeigt wird, sein Digest, wie ihn der Plan nennt</translation>
    </message>
    <message>
        <source>Job %1 has a parent, which only its worker can tell of a failure</source>
        <translation>Job %1 hat einen Elternjob, dem nur sein Worker ein Scheitern mitteilen kann</translation>
    </message>
    <message>
        <source>Job %1 is one of the scheduler %2, which only its worker can tell of a failure</source>
        <translation>Job %1 gehört zum Scheduler %2, dem nur sein Worker ein Scheitern mitteilen kann</translation>
    </message>
    <message>
        <source>Job %1 has the deduplication key %2, which only its worker releases on a failure</source>
        <translation>Job %1 hat den Deduplizierungsschlüssel %2, den nur sein Worker bei einem Scheitern freigibt</translation>
    </message>
    <message>
        <source>Job %1 waits for its children: discard these first</source>
        <translation>Job %1 wartet auf seine Kindjobs: Verwerfen Sie zuerst diese</translation>
    </message>
    <message>
        <source>Job %1 is the next one of the scheduler %2: remove the scheduler instead</source>
        <translation>Job %1 ist der nächste des Schedulers %2: Entfernen Sie stattdessen den Scheduler</translation>
    </message>
    <message>
        <source>Job %1 has the debounce key %2, which only its worker releases on a failure</source>
        <translation>Job %1 hat den Debounce-Schlüssel %2, den nur sein Worker bei einem Scheitern freigibt</translation>
    </message>
    <message>
        <source>A worker may still have the task; declare the visibility timeout as stuck_after to tell which are overdue</source>
        <translation>Ein Worker kann die Aufgabe noch haben; deklarieren Sie den visibility timeout als stuck_after, um zu erkennen, welche überfällig sind</translation>
    </message>
    <message>
        <source>The exchange %1 routes %2 to no queue, so that the task would be lost; a worker that starts binds its queues</source>
        <translation>Der Exchange %1 leitet %2 an keine Warteschlange, die Aufgabe ginge also verloren; ein startender Worker bindet seine Warteschlangen</translation>
    </message>
    <message>
        <source>Job %1 has no data</source>
        <translation>Job %1 hat keine Daten</translation>
    </message>
    <message>
        <source>No worker has job %1, and it does not hold its group %2 (%3)</source>
        <translation>Kein Worker hat Job %1, und er hält seine Gruppe %2 nicht (%3)</translation>
    </message>
    <message>
        <source>each job is still in progress and its deadline has passed, or no worker has it</source>
        <translation>jeder Job ist noch in Arbeit, und seine Frist ist verstrichen oder kein Worker hat ihn</translation>
    </message>
    <message>
        <source>Job %1 has more than %2 dependents</source>
        <translation>Von Job %1 hängen mehr als %2 Jobs ab</translation>
    </message>
    <message>
        <source>As RQ does it, a job with retries left is queued or scheduled again instead, and jobs that depend on a failed one and allow that are queued.</source>
        <translation>Wie bei RQ wird ein Job mit verbleibenden Versuchen stattdessen wieder eingereiht oder eingeplant, und Jobs, die von einem gescheiterten abhängen und das erlauben, werden eingereiht.</translation>
    </message>
    <message>
        <source>As the cleaning of GitLab&apos;s fetcher does, the interruption is counted in the job (interrupted_count).</source>
        <translation>Wie beim Aufräumen von GitLabs Fetcher wird die Unterbrechung im Job gezählt (interrupted_count).</translation>
    </message>
    <message>
        <source>The jobs are queued byte by byte as they are.</source>
        <translation>Die Jobs werden Byte für Byte so eingereiht, wie sie sind.</translation>
    </message>
    <message>
        <source>They are members of batch %1.</source>
        <translation>Sie gehören zum Batch %1.</translation>
    </message>
    <message>
        <source>Entry %1 was deleted from the stream: nothing is left to be run</source>
        <translation>Eintrag %1 wurde aus dem Stream gelöscht: Es ist nichts mehr auszuführen</translation>
    </message>
    <message>
        <source>Entry %1 was delivered %2 ago, and its consumer may still process it; it can be requeued after %3 (stuck_after)</source>
        <translation>Eintrag %1 wurde vor %2 zugestellt, und sein Consumer kann ihn noch bearbeiten; nach %3 (stuck_after) kann er wieder eingereiht werden</translation>
    </message>
    <message>
        <source>Each entry is added to the stream once more, and the pending one is acknowledged and deleted: the next consumer that asks for new entries takes it.</source>
        <translation>Jeder Eintrag wird dem Stream noch einmal hinzugefügt, und der ausstehende wird bestätigt und gelöscht: Der nächste Consumer, der neue Einträge verlangt, übernimmt ihn.</translation>
    </message>
    <message>
        <source>until you log out of this machine, unless the key changes: the kernel keeps what decrypts it</source>
        <translation>bis Sie sich von diesem Rechner abmelden, sofern sich der Key nicht ändert: Der Kernel behält so lange, was entschlüsselt</translation>
    </message>
    <message>
        <source>for %1 or until you log out of this machine, unless the key changes; up to %2 per key</source>
        <translation>%1 lang oder bis Sie sich von diesem Rechner abmelden, sofern sich der Key nicht ändert; bis zu %2 je Key</translation>
    </message>
    <message>
        <source>All %1 jobs that are %2 were searched; %3 match.</source>
        <translation>Alle %1 Jobs mit Zustand %2 wurden durchsucht; %3 passen.</translation>
    </message>
    <message>
        <source>Only the first %1 of %2 jobs that are %3 were searched; %4 of them match. Plan again for the rest.</source>
        <translation>Nur die ersten %1 von %2 Jobs mit Zustand %3 wurden durchsucht; %4 davon passen. Planen Sie für den Rest erneut.</translation>
    </message>
    <message>
        <source>This queue is written by BullMQ %1; the action was tried with %2.</source>
        <translation>Diese Warteschlange wird von BullMQ %1 geschrieben; erprobt ist die Aktion mit %2.</translation>
    </message>
    <message numerus="yes">
        <source>%Ln job(s) in the list of an earlier version are put before those that wait.</source>
        <translation>
            <numerusform>%Ln Job aus der Liste einer früheren Version kommt vor die wartenden.</numerusform>
            <numerusform>%Ln Jobs aus der Liste einer früheren Version kommen vor die wartenden.</numerusform>
        </translation>
    </message>
    <message>
        <source>--permits takes up to %1</source>
        <translation>--permits nimmt höchstens %1</translation>
    </message>
    <message>
        <source>GroupMQ&apos;s own retry() does nothing for a job that has used all of its attempts; this gives it one more.</source>
        <translation>GroupMQs eigenes retry() bewirkt nichts bei einem Job, der alle Versuche verbraucht hat; dies gibt ihm einen weiteren.</translation>
    </message>
</context>
<context>
    <name>lk::ActionBar</name>
    <message>
        <source>Not available: %1</source>
        <translation>Nicht verfügbar: %1</translation>
    </message>
    <message>
        <source>Actions</source>
        <translation>Aktionen</translation>
    </message>
    <message>
        <source>More…</source>
        <translation>Mehr…</translation>
    </message>
    <message>
        <source>More actions</source>
        <translation>Weitere Aktionen</translation>
    </message>
    <message>
        <source>All actions (Ctrl+Return)</source>
        <translation>Alle Aktionen (Ctrl+Return)</translation>
    </message>
</context>
<context>
    <name>lk::ActionDialog</name>
    <message>
        <source>%1 – Lockkeeper</source>
        <translation>%1 – Lockkeeper</translation>
    </message>
    <message>
        <source>%1 – %2</source>
        <translation>%1 – %2</translation>
    </message>
    <message>
        <source>&amp;Back</source>
        <translation>&amp;Zurück</translation>
    </message>
    <message>
        <source>&amp;Plan</source>
        <translation>&amp;Planen</translation>
    </message>
    <message>
        <source>%1…</source>
        <translation>%1…</translation>
    </message>
    <message>
        <source>This session has no journal, so it is read-only.</source>
        <translation>Diese Sitzung hat kein Journal und liest deshalb nur.</translation>
    </message>
    <message>
        <source>Nothing was sent: the session is read-only. Turn on write mode to continue.</source>
        <translation>Nichts wurde gesendet: Die Sitzung liest nur. Schalten Sie den Schreibmodus ein, um fortzufahren.</translation>
    </message>
    <message numerus="yes">
        <source>Undo %Ln action(s)</source>
        <translation>
            <numerusform>%Ln Aktion rückgängig machen</numerusform>
            <numerusform>%Ln Aktionen rückgängig machen</numerusform>
        </translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig machen</translation>
    </message>
    <message numerus="yes">
        <source>%1 for %Ln selected</source>
        <translation>
            <numerusform>%1 (%Ln ausgewählt)</numerusform>
            <numerusform>%1 (%Ln ausgewählt)</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 is not possible</source>
        <translation>%1: nicht möglich</translation>
    </message>
    <message>
        <source>%1?</source>
        <translation>%1?</translation>
    </message>
    <message>
        <source>Undo %1 of %2 actions?</source>
        <translation>%1 von %2 Aktionen rückgängig machen?</translation>
    </message>
    <message>
        <source>%1 for %2 of %3 selected?</source>
        <translation>%1 (%2 von %3 ausgewählten)?</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>node %1</source>
        <translation>Knoten %1</translation>
    </message>
    <message>
        <source>&amp;Check</source>
        <translation>&amp;Prüfen</translation>
    </message>
    <message>
        <source>waiting for a worker to take the jobs…</source>
        <translation>es wird gewartet, ob ein Worker die Jobs nimmt …</translation>
    </message>
</context>
<context>
    <name>lk::ActionDraft</name>
    <message>
        <source>%1 for more than %L2…</source>
        <translation>%1 (mehr als %L2)…</translation>
    </message>
    <message numerus="yes">
        <source>%1 for %Ln selected…</source>
        <translation>
            <numerusform>%1 (%Ln ausgewählt)…</numerusform>
            <numerusform>%1 (%Ln ausgewählt)…</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lk::ActionExecutor</name>
    <message>
        <source>At most %L1 at a time: select fewer, or narrow the filter</source>
        <translation>Höchstens %L1 auf einmal: weniger auswählen oder den Filter enger fassen</translation>
    </message>
    <message>
        <source>it has changed since the action to undo</source>
        <translation>hat sich seit der Aktion geändert, die rückgängig gemacht werden soll</translation>
    </message>
    <message>
        <source>The code was shown</source>
        <translation>Der Code wurde angezeigt</translation>
    </message>
    <message>
        <source>A different server now answers at this address: replan</source>
        <translation>Unter dieser Adresse antwortet jetzt ein anderer Server: neu planen</translation>
    </message>
    <message>
        <source>Write mode has ended since this was planned: replan</source>
        <translation>Der Schreibmodus wurde seit der Planung beendet: neu planen</translation>
    </message>
    <message>
        <source>This plan is no longer available: replan</source>
        <translation>Dieser Plan ist nicht mehr verfügbar: neu planen</translation>
    </message>
    <message>
        <source>The keys are now on %1 instead of %2: replan</source>
        <translation>Die Keys liegen jetzt auf %1 statt auf %2: neu planen</translation>
    </message>
    <message>
        <source>Newer plans have replaced this one: replan</source>
        <translation>Neuere Pläne haben diesen ersetzt: neu planen</translation>
    </message>
</context>
<context>
    <name>lk::Alert</name>
    <message>
        <source>Nodes that do not answer</source>
        <translation>Knoten, die nicht antworten</translation>
    </message>
    <message>
        <source>Memory used, bytes</source>
        <translation>Belegter Speicher, Bytes</translation>
    </message>
    <message>
        <source>Commands per second</source>
        <translation>Befehle pro Sekunde</translation>
    </message>
    <message>
        <source>Held for</source>
        <translation>Gehalten seit</translation>
    </message>
    <message>
        <source>Stuck</source>
        <translation>Hängend</translation>
    </message>
    <message>
        <source>%1: down by %2 within %3</source>
        <translation>%1: um %2 gesunken innerhalb von %3</translation>
    </message>
    <message>
        <source>%1: up by %2 within %3</source>
        <translation>%1: um %2 gestiegen innerhalb von %3</translation>
    </message>
    <message>
        <source>%1: %2, above %3</source>
        <translation>%1: %2, über %3</translation>
    </message>
    <message>
        <source>%1: %2, %3 or more</source>
        <translation>%1: %2, %3 oder mehr</translation>
    </message>
    <message>
        <source>%1: %2, below %3</source>
        <translation>%1: %2, unter %3</translation>
    </message>
    <message>
        <source>%1: %2, %3 or less</source>
        <translation>%1: %2, %3 oder weniger</translation>
    </message>
    <message>
        <source>Test notification from Lockkeeper</source>
        <translation>Testbenachrichtigung von Lockkeeper</translation>
    </message>
    <message>
        <source>Alerts: %1 fired, %2 resolved</source>
        <translation>Alarme: %1 ausgelöst, %2 behoben</translation>
    </message>
    <message>
        <source>Resolved: %1: %2</source>
        <translation>Behoben: %1: %2</translation>
    </message>
    <message>
        <source>unknown kind %1; %2</source>
        <translation>unbekannte Art %1; %2</translation>
    </message>
    <message>
        <source>unknown metric %1; %2</source>
        <translation>unbekannte Metrik %1; %2</translation>
    </message>
    <message>
        <source>%1 is compared with a duration, such as 30s or 10m</source>
        <translation>%1 wird mit einer Dauer verglichen, z. B. 30s oder 10m</translation>
    </message>
    <message>
        <source>%1 is compared with a number, such as 1000</source>
        <translation>%1 wird mit einer Zahl verglichen, z. B. 1000</translation>
    </message>
    <message>
        <source>a metric is compared as &quot;queue.ready &gt; 1000&quot; or &quot;queue.dead &gt; 0 in 10m&quot;</source>
        <translation>eine Metrik wird so verglichen: &quot;queue.ready &gt; 1000&quot; oder &quot;queue.dead &gt; 0 in 10m&quot;</translation>
    </message>
    <message>
        <source>unknown finding %1; %2</source>
        <translation>unbekannter Befund %1; %2</translation>
    </message>
    <message>
        <source>was written by another version of Lockkeeper; move it away or use that version</source>
        <translation>wurde von einer anderen Version von Lockkeeper geschrieben; verschieben Sie die Datei oder verwenden Sie jene Version</translation>
    </message>
    <message>
        <source>Held for, as a multiple of usual</source>
        <translation>Haltezeit, als Vielfaches der üblichen</translation>
    </message>
    <message>
        <source>Used, as a share of the limit</source>
        <translation>Belegt, als Anteil am Limit</translation>
    </message>
    <message>
        <source>If you can read this, notifications are delivered.</source>
        <translation>Wenn Sie dies lesen können, werden Benachrichtigungen zugestellt.</translation>
    </message>
    <message>
        <source>this target is not configured here</source>
        <translation>dieses Ziel ist hier nicht konfiguriert</translation>
    </message>
    <message>
        <source>the program exited while this was being sent: it may have been delivered, and is not sent again</source>
        <translation>das Programm wurde beim Senden beendet: Die Benachrichtigung kann angekommen sein und wird nicht erneut gesendet</translation>
    </message>
</context>
<context>
    <name>lk::AlertDelivery</name>
    <message>
        <source>%1: it may have been delivered, and is not sent again</source>
        <translation>%1: Die Benachrichtigung kann angekommen sein und wird nicht erneut gesendet</translation>
    </message>
</context>
<context>
    <name>lk::AlertDetail</name>
    <message>
        <source>&amp;Acknowledge</source>
        <translation>&amp;Quittieren</translation>
    </message>
    <message>
        <source>&amp;Silence…</source>
        <translation>&amp;Stummschalten…</translation>
    </message>
    <message>
        <source>&amp;End silence</source>
        <translation>Stummschaltung &amp;beenden</translation>
    </message>
    <message>
        <source>Sho&amp;w</source>
        <translation>An&amp;zeigen</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>Details</translation>
    </message>
    <message>
        <source>Nothing selected</source>
        <translation>Nichts ausgewählt</translation>
    </message>
    <message>
        <source>Select an alert to acknowledge or silence it, or to see what it is about.</source>
        <translation>Wählen Sie einen Alarm aus, um ihn zu quittieren oder stummzuschalten oder um zu sehen, worum es geht.</translation>
    </message>
    <message>
        <source>Rule</source>
        <translation>Regel</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Fired</source>
        <translation>Ausgelöst</translation>
    </message>
    <message>
        <source>Resolved</source>
        <translation>Behoben</translation>
    </message>
    <message>
        <source>Acknowledged</source>
        <translation>Quittiert</translation>
    </message>
    <message>
        <source>%1 by %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Silenced by</source>
        <translation>Stummgeschaltet von</translation>
    </message>
    <message>
        <source>Silenced until</source>
        <translation>Stummgeschaltet bis</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>Grund</translation>
    </message>
    <message>
        <source>Show when it &amp;fired</source>
        <translation>Bei der &amp;Auslösung zeigen</translation>
    </message>
    <message>
        <source>Tells others that someone is looking into it; it stays open until it is resolved</source>
        <translation>Zeigt anderen, dass sich jemand darum kümmert; der Alarm bleibt offen, bis er behoben ist</translation>
    </message>
    <message>
        <source>Shows all boards as they were when the alert fired</source>
        <translation>Zeigt alle Boards, wie sie waren, als der Alarm ausgelöst wurde</translation>
    </message>
    <message>
        <source>Active since</source>
        <translation>Aktiv seit</translation>
    </message>
    <message>
        <source>ended manually</source>
        <translation>zur manuellen Aufhebung</translation>
    </message>
</context>
<context>
    <name>lk::AlertModel</name>
    <message>
        <source>open</source>
        <translation>offen</translation>
    </message>
    <message>
        <source>acknowledged</source>
        <translation>quittiert</translation>
    </message>
    <message>
        <source>silenced</source>
        <translation>stummgeschaltet</translation>
    </message>
    <message>
        <source>past</source>
        <translation>vergangen</translation>
    </message>
    <message>
        <source>resolved after %1</source>
        <translation>behoben nach %1</translation>
    </message>
    <message>
        <source>fired %1</source>
        <translation>ausgelöst: %1</translation>
    </message>
    <message>
        <source>Severity</source>
        <translation>Schweregrad</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>Meldung</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Fired</source>
        <translation>Ausgelöst</translation>
    </message>
</context>
<context>
    <name>lk::AlertTray</name>
    <message>
        <source>Show alerts</source>
        <translation>Alarme anzeigen</translation>
    </message>
    <message>
        <source>Lockkeeper: no open alerts in %1</source>
        <translation>Lockkeeper: keine offenen Alarme in %1</translation>
    </message>
    <message numerus="yes">
        <source>Lockkeeper: %n open alert(s) in %1</source>
        <translation>
            <numerusform>Lockkeeper: %n offener Alarm in %1</numerusform>
            <numerusform>Lockkeeper: %n offene Alarme in %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lk::AlertsPage</name>
    <message>
        <source>Alerts</source>
        <translation>Alarme</translation>
    </message>
    <message>
        <source>Filter alerts</source>
        <translation>Alarme filtern</translation>
    </message>
    <message>
        <source>Shows alerts whose name, rule or message contains this text</source>
        <translation>Zeigt Alarme, deren Name, Regel oder Meldung diesen Text enthält</translation>
    </message>
    <message>
        <source>Rules…</source>
        <translation>Regeln…</translation>
    </message>
    <message>
        <source>Rules</source>
        <translation>Regeln</translation>
    </message>
    <message>
        <source>When an alert fires and who is notified: written to the configuration file</source>
        <translation>Wann ein Alarm ausgelöst und wer benachrichtigt wird: wird in die Konfigurationsdatei geschrieben</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Mehr</translation>
    </message>
    <message>
        <source>Send a test notification</source>
        <translation>Testbenachrichtigung senden</translation>
    </message>
    <message>
        <source>Save the table as CSV…</source>
        <translation>Tabelle als CSV speichern…</translation>
    </message>
    <message>
        <source>Copy selected rows</source>
        <translation>Ausgewählte Zeilen kopieren</translation>
    </message>
    <message>
        <source>No alerts are raised here</source>
        <translation>Hier werden keine Alarme ausgelöst</translation>
    </message>
    <message>
        <source>This window only shows the server.</source>
        <translation>Dieses Fenster zeigt den Server nur an.</translation>
    </message>
    <message>
        <source>Nothing matches</source>
        <translation>Keine Treffer</translation>
    </message>
    <message>
        <source>No alert matches the filter. Clear it to see all.</source>
        <translation>Kein Alarm passt zum Filter. Leeren Sie ihn, um alle zu sehen.</translation>
    </message>
    <message>
        <source>No alerts</source>
        <translation>Keine Alarme</translation>
    </message>
    <message>
        <source>An alert fires when the condition of a rule holds for long enough, and is resolved when it no longer does. Rules define what is monitored and who is notified.</source>
        <translation>Ein Alarm wird ausgelöst, wenn die Bedingung einer Regel lange genug erfüllt ist, und ist behoben, wenn sie es nicht mehr ist. Regeln legen fest, was überwacht und wer benachrichtigt wird.</translation>
    </message>
    <message>
        <source>%1: the test notification was delivered</source>
        <translation>%1: Die Testbenachrichtigung wurde zugestellt</translation>
    </message>
    <message>
        <source>%1: the test notification was not delivered: %2</source>
        <translation>%1: Die Testbenachrichtigung wurde nicht zugestellt: %2</translation>
    </message>
    <message>
        <source>Save the table</source>
        <translation>Tabelle speichern</translation>
    </message>
    <message>
        <source>alerts</source>
        <translation>alarme</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Anzeigen</translation>
    </message>
    <message>
        <source>Acknowledge</source>
        <translation>Quittieren</translation>
    </message>
    <message>
        <source>Silence…</source>
        <translation>Stummschalten…</translation>
    </message>
    <message>
        <source>Alerts cannot be stored: %1</source>
        <translation>Alarme lassen sich nicht speichern: %1</translation>
    </message>
    <message>
        <source>Another program on this machine raises these alerts and sends the notifications</source>
        <translation>Ein anderes Programm auf diesem Rechner löst diese Alarme aus und sendet die Benachrichtigungen</translation>
    </message>
    <message>
        <source>Too many alerts: %1 more are not listed</source>
        <translation>Zu viele Alarme: %1 weitere sind nicht aufgelistet</translation>
    </message>
    <message>
        <source>%1: %2 notifications not delivered: %3</source>
        <translation>%1: %2 Benachrichtigungen nicht zugestellt: %3</translation>
    </message>
    <message>
        <source>No notification target is configured</source>
        <translation>Kein Benachrichtigungsziel konfiguriert</translation>
    </message>
    <message>
        <source>Show when it fired</source>
        <translation>Bei der Auslösung zeigen</translation>
    </message>
    <message>
        <source>Quiet hours…</source>
        <translation>Ruhezeiten…</translation>
    </message>
    <message>
        <source>Silences…</source>
        <translation>Stummschaltungen …</translation>
    </message>
    <message>
        <source>No alerts so far</source>
        <translation>Bisher keine Alarme</translation>
    </message>
</context>
<context>
    <name>lk::AllFindingsModel</name>
    <message>
        <source>Severity</source>
        <translation>Schweregrad</translation>
    </message>
    <message>
        <source>Deployment</source>
        <translation>Deployment</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>Meldung</translation>
    </message>
</context>
<context>
    <name>lk::AutoRequeue</name>
    <message>
        <source>This queue does not support requeueing</source>
        <translation>Diese Warteschlange unterstützt kein erneutes Einreihen</translation>
    </message>
    <message>
        <source>This queue&apos;s processing list is unknown</source>
        <translation>Die Processing-Liste dieser Warteschlange ist unbekannt</translation>
    </message>
    <message>
        <source>requeues</source>
        <translation>Requeue</translation>
    </message>
    <message>
        <source>jobs in %1 for %2 or longer, to the front of %3</source>
        <translation>Jobs, die %2 oder länger in %1 sind, an den Anfang von %3</translation>
    </message>
    <message>
        <source>means</source>
        <translation>Folge</translation>
    </message>
    <message>
        <source>another worker picks the job up; if the original one is still alive, the job runs twice</source>
        <translation>ein anderer Worker übernimmt den Job; falls der ursprüngliche noch lebt, läuft der Job zweimal</translation>
    </message>
    <message>
        <source>how often</source>
        <translation>wie oft</translation>
    </message>
    <message>
        <source>every %1, at most %2 jobs at a time</source>
        <translation>alle %1, höchstens %2 Jobs auf einmal</translation>
    </message>
    <message>
        <source>only if</source>
        <translation>nur wenn</translation>
    </message>
    <message>
        <source>this console holds the lock %1, %2 at a time; other consoles stand by</source>
        <translation>diese Konsole das Lock %1 hält, jeweils für %2; andere Konsolen stehen bereit</translation>
    </message>
    <message>
        <source>skips</source>
        <translation>ohne</translation>
    </message>
    <message>
        <source>jobs seen for the first time: ages count from when they were first seen</source>
        <translation>Jobs, die zum ersten Mal gesehen werden: Das Alter zählt ab dem ersten Sehen</translation>
    </message>
    <message>
        <source>undo</source>
        <translation>rückgängig</translation>
    </message>
    <message>
        <source>write mode is off</source>
        <translation>der Schreibmodus ist aus</translation>
    </message>
    <message>
        <source>the connection was lost</source>
        <translation>die Verbindung ist abgebrochen</translation>
    </message>
    <message>
        <source>the connection was lost; its lock expires</source>
        <translation>die Verbindung ist abgebrochen; das Lock läuft ab</translation>
    </message>
    <message numerus="yes">
        <source>stopped, %1; %n requeued, one run still in progress</source>
        <translation>
            <numerusform>angehalten, %1; %n erneut eingereiht, ein Lauf noch in Arbeit</numerusform>
            <numerusform>angehalten, %1; %n erneut eingereiht, ein Lauf noch in Arbeit</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>stopped, %1; %n requeued</source>
        <translation>
            <numerusform>angehalten, %1; %n erneut eingereiht</numerusform>
            <numerusform>angehalten, %1; %n erneut eingereiht</numerusform>
        </translation>
    </message>
    <message>
        <source>no other console holds the lock</source>
        <translation>keine andere Konsole das Lock hält</translation>
    </message>
    <message>
        <source>its lock was lost</source>
        <translation>das Lock ging verloren</translation>
    </message>
    <message>
        <source>another console took over</source>
        <translation>eine andere Konsole hat übernommen</translation>
    </message>
    <message>
        <source>requeues jobs in progress for more than %1</source>
        <translation>reiht Jobs erneut ein, die länger als %1 in Arbeit sind</translation>
    </message>
    <message>
        <source>note</source>
        <translation>Hinweis</translation>
    </message>
    <message>
        <source>each run by its receipt, where undo is available; the journal lists them as &quot;auto-requeue&quot;</source>
        <translation>jeder Lauf mit seiner Quittung, wo Rückgängig möglich ist; das Protokoll führt sie als „auto-requeue“</translation>
    </message>
    <message>
        <source>Auto-requeue is for plain lists. %1 returns the abandoned jobs of this library: queue requeue %2 --all, or --older-than with an age</source>
        <translation>Auto-Requeue ist für einfache Listen. %1 gibt die verlassenen Jobs dieser Bibliothek zurück: queue requeue %2 --all, oder --older-than mit einem Alter</translation>
    </message>
</context>
<context>
    <name>lk::AutoRequeueDialog</name>
    <message>
        <source>Stuck after</source>
        <translation>Hängt nach</translation>
    </message>
    <message>
        <source>in progress for this long, since first seen</source>
        <translation>so lange in Arbeit, seit zuerst gesehen</translation>
    </message>
    <message>
        <source>Auto-requeue – Lockkeeper</source>
        <translation>Auto-Requeue – Lockkeeper</translation>
    </message>
    <message>
        <source>Auto-requeue stuck jobs of %1?</source>
        <translation>Auto-Requeue für hängende Jobs von %1?</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>&amp;Turn on write mode…</source>
        <translation>&amp;Schreibmodus einschalten…</translation>
    </message>
    <message>
        <source>&amp;Start auto-requeue</source>
        <translation>&amp;Auto-Requeue starten</translation>
    </message>
    <message>
        <source>server</source>
        <translation>Server</translation>
    </message>
    <message>
        <source>ends</source>
        <translation>endet</translation>
    </message>
    <message>
        <source>when write mode turns off, the connection is lost, or you stop it</source>
        <translation>wenn der Schreibmodus ausgeht, die Verbindung abbricht oder Sie es anhalten</translation>
    </message>
    <message>
        <source>This session has no journal, so it is read-only.</source>
        <translation>Diese Sitzung hat kein Journal und liest deshalb nur.</translation>
    </message>
    <message>
        <source>Nothing was sent: the session is read-only. Turn on write mode to continue.</source>
        <translation>Nichts wurde gesendet: Die Sitzung liest nur. Schalten Sie den Schreibmodus ein, um fortzufahren.</translation>
    </message>
</context>
<context>
    <name>lk::AutoRequeueNotice</name>
    <message>
        <source>Auto-requeue: off</source>
        <translation>Auto-Requeue: aus</translation>
    </message>
    <message>
        <source>Auto-requeue: checking for other consoles</source>
        <translation>Auto-Requeue: prüft, ob andere Konsolen aktiv sind</translation>
    </message>
    <message numerus="yes">
        <source>Auto-requeue: on since %1; %Ln requeued</source>
        <translation>
            <numerusform>Auto-Requeue: an seit %1; %Ln erneut eingereiht</numerusform>
            <numerusform>Auto-Requeue: an seit %1; %Ln erneut eingereiht</numerusform>
        </translation>
    </message>
    <message>
        <source>Auto-requeue: standing by; another console does it (%1)</source>
        <translation>Auto-Requeue: in Bereitschaft; eine andere Konsole macht es (%1)</translation>
    </message>
    <message numerus="yes">
        <source>Auto-requeue: stopped, %1; %Ln requeued</source>
        <translation>
            <numerusform>Auto-Requeue: angehalten, %1; %Ln erneut eingereiht</numerusform>
            <numerusform>Auto-Requeue: angehalten, %1; %Ln erneut eingereiht</numerusform>
        </translation>
    </message>
    <message>
        <source>Auto-requeue stuck jobs…</source>
        <translation>Auto-Requeue für hängende Jobs…</translation>
    </message>
    <message>
        <source>Stop auto-requeue</source>
        <translation>Auto-Requeue anhalten</translation>
    </message>
    <message>
        <source>Releases its lock immediately</source>
        <translation>Gibt das Lock sofort frei</translation>
    </message>
    <message>
        <source>Every few seconds, requeues jobs that have been in progress for too long, while write mode is on</source>
        <translation>Reiht alle paar Sekunden Jobs erneut ein, die zu lange in Arbeit sind, solange der Schreibmodus an ist</translation>
    </message>
</context>
<context>
    <name>lk::AutoRequeueRun</name>
    <message numerus="yes">
        <source>%1: %n requeued</source>
        <translation>
            <numerusform>%1: %n erneut eingereiht</numerusform>
            <numerusform>%1: %n erneut eingereiht</numerusform>
        </translation>
    </message>
    <message>
        <source>%1; undo with %2</source>
        <translation>%1; rückgängig mit %2</translation>
    </message>
    <message>
        <source>%1; %2</source>
        <translation>%1; %2</translation>
    </message>
    <message>
        <source>interrupted</source>
        <translation>unterbrochen</translation>
    </message>
    <message>
        <source>Auto-requeue stuck jobs of %1?</source>
        <translation>Auto-Requeue für hängende Jobs von %1?</translation>
    </message>
    <message>
        <source>server</source>
        <translation>Server</translation>
    </message>
    <message>
        <source>ends</source>
        <translation>endet</translation>
    </message>
    <message>
        <source>after %1, at Ctrl+C, or when its lock is lost</source>
        <translation>nach %1, bei Ctrl+C oder wenn das Lock verloren geht</translation>
    </message>
    <message>
        <source>its output cannot be written</source>
        <translation>die Ausgabe kann nicht geschrieben werden</translation>
    </message>
    <message>
        <source>Auto-requeue is on for %1</source>
        <translation>Auto-Requeue ist an für %1</translation>
    </message>
    <message>
        <source>Another console requeues this queue&apos;s jobs (%1); standing by</source>
        <translation>Eine andere Konsole reiht die Jobs dieser Warteschlange erneut ein (%1); in Bereitschaft</translation>
    </message>
    <message numerus="yes">
        <source>Stopped: %1. %n job(s) requeued</source>
        <translation>
            <numerusform>Angehalten: %1. %n Job erneut eingereiht</numerusform>
            <numerusform>Angehalten: %1. %n Jobs erneut eingereiht</numerusform>
        </translation>
    </message>
    <message>
        <source>the time limit was reached</source>
        <translation>die Zeit ist abgelaufen</translation>
    </message>
    <message>
        <source>the terminal was closed</source>
        <translation>das Terminal wurde geschlossen</translation>
    </message>
</context>
<context>
    <name>lk::BackgroundScan</name>
    <message>
        <source>no key can be scanned</source>
        <translation>kein Key kann gescannt werden</translation>
    </message>
</context>
<context>
    <name>lk::BoardBadge</name>
    <message>
        <source>primitives: %1</source>
        <translation>Primitive: %1</translation>
    </message>
    <message>
        <source>, warnings</source>
        <translation>, Warnungen</translation>
    </message>
    <message>
        <source>, some need attention</source>
        <translation>, teils mit Handlungsbedarf</translation>
    </message>
    <message>
        <source>no findings</source>
        <translation>keine Befunde</translation>
    </message>
    <message>
        <source>findings: %1, highest severity: %2</source>
        <translation>Befunde: %1, höchster Schweregrad: %2</translation>
    </message>
    <message>
        <source>no open alerts</source>
        <translation>keine offenen Alarme</translation>
    </message>
    <message>
        <source>open alerts: %1, highest severity: %2</source>
        <translation>offene Alarme: %1, höchster Schweregrad: %2</translation>
    </message>
</context>
<context>
    <name>lk::BoardGroups</name>
    <message>
        <source>No owner</source>
        <translation>Ohne Besitzer</translation>
    </message>
    <message>
        <source>No prefix</source>
        <translation>Ohne Präfix</translation>
    </message>
</context>
<context>
    <name>lk::BoardPage</name>
    <message>
        <source>%1…</source>
        <translation>%1…</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>Lösen</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>Anheften</translation>
    </message>
    <message>
        <source>Copy name</source>
        <translation>Namen kopieren</translation>
    </message>
    <message>
        <source>Copy key</source>
        <translation>Key kopieren</translation>
    </message>
    <message>
        <source>Copy selected rows</source>
        <translation>Ausgewählte Zeilen kopieren</translation>
    </message>
    <message>
        <source>Declare limit and window…</source>
        <translation>Limit und Fenster deklarieren…</translation>
    </message>
    <message>
        <source>Hide code</source>
        <translation>Code verbergen</translation>
    </message>
    <message>
        <source>Reveal code</source>
        <translation>Code zeigen</translation>
    </message>
    <message>
        <source>Reveal code (in write mode only)</source>
        <translation>Code zeigen (nur im Schreibmodus)</translation>
    </message>
    <message>
        <source>Filter %1</source>
        <translation>%1 filtern</translation>
    </message>
    <message>
        <source>Save the table as CSV…</source>
        <translation>Tabelle als CSV speichern…</translation>
    </message>
    <message>
        <source>Save the table</source>
        <translation>Tabelle speichern</translation>
    </message>
    <message>
        <source>Not available: %1</source>
        <translation>Nicht verfügbar: %1</translation>
    </message>
    <message>
        <source>What happened…</source>
        <translation>Was geschehen ist…</translation>
    </message>
</context>
<context>
    <name>lk::BoardSorter</name>
    <message>
        <source>Full: the next request passes in %1.</source>
        <translation>Voll: Die nächste Anfrage kommt in %1 durch.</translation>
    </message>
    <message>
        <source>Dead-lettered: %1.</source>
        <translation>In Dead Letters: %1.</translation>
    </message>
</context>
<context>
    <name>lk::BoardTexts</name>
    <message>
        <source>Keys set with NX and a TTL, and timestamp locks, appear here while they are held. Declare keys whose names give no hint:</source>
        <translation>Keys, die mit NX und TTL gesetzt wurden, und Zeitstempel-Locks erscheinen hier, solange sie gehalten werden. Keys, deren Namen nichts verraten, deklarieren Sie:</translation>
    </message>
    <message>
        <source>Lists with a processing list appear here. Declare which list is the processing list of which queue:</source>
        <translation>Listen mit einer Processing-Liste erscheinen hier. Deklarieren Sie, welche Liste die Processing-Liste welcher Warteschlange ist:</translation>
    </message>
    <message>
        <source>One-time codes and token hashes appear here while they exist. Their payload is never shown. Declare your own prefixes:</source>
        <translation>Einmalcodes und Token-Hashes erscheinen hier, solange sie existieren. Ihre Payload wird nie angezeigt. Eigene Präfixe deklarieren Sie:</translation>
    </message>
    <message>
        <source>Counters, rotations, navigation sessions, bitmaps per day, cached sorts and weighted sets appear here if their names say what they are. Declare others, and the record size of arrays:</source>
        <translation>Zähler, Rotationen, Navigationssitzungen, Bitmaps pro Tag, gecachte Sortierungen und gewichtete Mengen erscheinen hier, wenn ihre Namen sagen, was sie sind. Andere und die Datensatzgröße von Arrays deklarieren Sie:</translation>
    </message>
    <message>
        <source>No server</source>
        <translation>Kein Server</translation>
    </message>
    <message>
        <source>Connect to Redis with Ctrl+N, or open the demo.</source>
        <translation>Verbinden Sie sich mit Ctrl+N mit Redis oder öffnen Sie die Demo.</translation>
    </message>
    <message>
        <source>Connecting…</source>
        <translation>Verbindung wird aufgebaut…</translation>
    </message>
    <message>
        <source>Waiting for %1 to answer.</source>
        <translation>Warten auf die Antwort von %1.</translation>
    </message>
    <message>
        <source>Nothing matches</source>
        <translation>Keine Treffer</translation>
    </message>
    <message>
        <source>No %1 matches the filter. Clear it to see all.</source>
        <translation>Kein Treffer für den Filter (%1). Leeren Sie ihn, um alle zu sehen.</translation>
    </message>
    <message>
        <source>%1 of %2 keys could not be read</source>
        <translation>%1 von %2 Keys konnten nicht gelesen werden</translation>
    </message>
    <message>
        <source>Not everything could be read</source>
        <translation>Nicht alles konnte gelesen werden</translation>
    </message>
    <message>
        <source>Keys are not scanned</source>
        <translation>Keys werden nicht gescannt</translation>
    </message>
    <message>
        <source>Scanning…</source>
        <translation>Scan läuft…</translation>
    </message>
    <message>
        <source>No %1 here</source>
        <translation>Keine %1 hier</translation>
    </message>
    <message>
        <source>Sorted sets of request times, counters with a TTL, gates and the limiters of common libraries are detected and appear here. Declare what Redis does not store, such as a limit, in a configuration file:</source>
        <translation>Sorted Sets mit Anfragezeiten, Zähler mit TTL, Gates und die Limiter verbreiteter Bibliotheken werden erkannt und erscheinen hier. Was Redis nicht speichert, etwa ein Limit, deklarieren Sie in einer Konfigurationsdatei:</translation>
    </message>
    <message>
        <source>Reading the recording…</source>
        <translation>Die Aufzeichnung wird gelesen…</translation>
    </message>
    <message>
        <source>read %1 ago</source>
        <translation>vor %1 gelesen</translation>
    </message>
    <message numerus="yes">
        <source>An estimate: %Ln changes are not read yet.</source>
        <translation>
            <numerusform>Geschätzt: %Ln Änderung ist noch nicht gelesen.</numerusform>
            <numerusform>Geschätzt: %Ln Änderungen sind noch nicht gelesen.</numerusform>
        </translation>
    </message>
    <message>
        <source>The state at that time appears here.</source>
        <translation>Hier erscheint der Zustand zu jener Zeit.</translation>
    </message>
    <message>
        <source>not all keys could be read</source>
        <translation>nicht alle Schlüssel konnten gelesen werden</translation>
    </message>
    <message>
        <source>Nothing found so far, %1.</source>
        <translation>Bisher nichts gefunden, %1.</translation>
    </message>
    <message>
        <source>Nothing found, but %1.</source>
        <translation>Nichts gefunden, aber %1.</translation>
    </message>
</context>
<context>
    <name>lk::CellDelegate</name>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
</context>
<context>
    <name>lk::Certainty</name>
    <message>
        <source>declared</source>
        <translation>deklariert</translation>
    </message>
    <message>
        <source>certain</source>
        <translation>sicher</translation>
    </message>
    <message>
        <source>likely</source>
        <translation>wahrscheinlich</translation>
    </message>
    <message>
        <source>possible</source>
        <translation>möglich</translation>
    </message>
    <message>
        <source>The content matches, but the name gives no hint.</source>
        <translation>Der Inhalt passt, der Name verrät es nicht.</translation>
    </message>
    <message>
        <source>The name matches, but the key has no TTL of the usual length.</source>
        <translation>Der Name passt, aber der Key hat keine TTL der üblichen Länge.</translation>
    </message>
    <message>
        <source>The name also matches something else.</source>
        <translation>Der Name spricht auch für etwas anderes.</translation>
    </message>
    <message>
        <source>The name matches, but the content does not prove it.</source>
        <translation>Der Name passt, der Inhalt beweist es nicht.</translation>
    </message>
    <message>
        <source>Several keys of this form prove each other.</source>
        <translation>Mehrere Schlüssel dieser Form beweisen einander.</translation>
    </message>
    <message>
        <source>Keys of this form only grow until they end.</source>
        <translation>Schlüssel dieser Form wachsen nur, bis sie enden.</translation>
    </message>
    <message>
        <source>It was released and acquired again by other owners.</source>
        <translation>Sie wurde freigegeben und von anderen Inhabern wieder erworben.</translation>
    </message>
</context>
<context>
    <name>lk::ChangeFeed</name>
    <message>
        <source>the change feed&apos;s connection was lost</source>
        <translation>die Verbindung des Änderungs-Feeds ist abgebrochen</translation>
    </message>
    <message>
        <source>the change feed exceeded its budget of %1 per second</source>
        <translation>der Änderungs-Feed hat sein Budget von %1 pro Sekunde überschritten</translation>
    </message>
    <message>
        <source>this server has no CLIENT TRACKING by prefixes</source>
        <translation>dieser Server hat kein CLIENT TRACKING nach Präfixen</translation>
    </message>
</context>
<context>
    <name>lk::Chart</name>
    <message>
        <source>time_utc,time_local</source>
        <translation>time_utc,time_local</translation>
    </message>
    <message>
        <source>no data</source>
        <translation>keine Daten</translation>
    </message>
    <message>
        <source>now</source>
        <translation>jetzt</translation>
    </message>
    <message>
        <source>%1 ago</source>
        <translation>vor %1</translation>
    </message>
    <message>
        <source>in %1</source>
        <translation>in %1</translation>
    </message>
    <message>
        <source>Paused at %1</source>
        <translation>Pausiert um %1</translation>
    </message>
    <message>
        <source>Not live: nothing is read</source>
        <translation>Nicht live: Es wird nichts gelesen</translation>
    </message>
    <message>
        <source>Past: %1</source>
        <translation>Vergangenheit: %1</translation>
    </message>
    <message>
        <source>one day earlier</source>
        <translation>Vortag</translation>
    </message>
    <message>
        <source>one week earlier</source>
        <translation>Vorwoche</translation>
    </message>
</context>
<context>
    <name>lk::ChartHeader</name>
    <message>
        <source>Back to live</source>
        <translation>Zurück zu live</translation>
    </message>
    <message>
        <source>Show live data (End)</source>
        <translation>Live-Daten zeigen (End)</translation>
    </message>
</context>
<context>
    <name>lk::ChartMenu</name>
    <message>
        <source>Last %1</source>
        <translation>Letzte %1</translation>
    </message>
    <message>
        <source>Back to live</source>
        <translation>Zurück zu live</translation>
    </message>
    <message>
        <source>Copy picture</source>
        <translation>Bild kopieren</translation>
    </message>
    <message>
        <source>Copy values as CSV</source>
        <translation>Werte als CSV kopieren</translation>
    </message>
    <message>
        <source>Save values as CSV…</source>
        <translation>Werte als CSV speichern…</translation>
    </message>
    <message>
        <source>Save values</source>
        <translation>Werte speichern</translation>
    </message>
    <message>
        <source>Save picture as PNG…</source>
        <translation>Bild als PNG speichern…</translation>
    </message>
    <message>
        <source>Save picture</source>
        <translation>Bild speichern</translation>
    </message>
    <message>
        <source>Pictures (*.png)</source>
        <translation>Bilder (*.png)</translation>
    </message>
    <message>
        <source>Compare with %1</source>
        <translation>Vergleichen mit: %1</translation>
    </message>
</context>
<context>
    <name>lk::CheckCommand</name>
    <message>
        <source>Not everything could be read. %1 Use --allow-partial to accept that</source>
        <translation>Nicht alles konnte gelesen werden. %1 Mit --allow-partial wird das hingenommen</translation>
    </message>
</context>
<context>
    <name>lk::CheckReport</name>
    <message numerus="yes">
        <source>… and %n more</source>
        <translation>
            <numerusform>… und %n weiterer</numerusform>
            <numerusform>… und %n weitere</numerusform>
        </translation>
    </message>
    <message>
        <source>why</source>
        <translation>warum</translation>
    </message>
    <message>
        <source>do</source>
        <translation>tun</translation>
    </message>
    <message>
        <source>run</source>
        <translation>mit</translation>
    </message>
    <message>
        <source>Errors: %1, warnings: %2, info: %3, silenced: %4%5</source>
        <translation>Fehler: %1, Warnungen: %2, Infos: %3, stummgeschaltet: %4%5</translation>
    </message>
    <message>
        <source>Redlock group %2: %1 does not answer: %3</source>
        <translation>Redlock-Gruppe %2: %1 antwortet nicht: %3</translation>
    </message>
    <message>
        <source>Redlock group %1: only the first %2 names were read</source>
        <translation>Redlock-Gruppe %1: nur die ersten %2 Namen wurden gelesen</translation>
    </message>
</context>
<context>
    <name>lk::CheckStage</name>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Socket</source>
        <translation>Socket</translation>
    </message>
    <message>
        <source>Login</source>
        <translation>Anmeldung</translation>
    </message>
    <message>
        <source>Sentinel</source>
        <translation>Sentinel</translation>
    </message>
    <message>
        <source>Permissions</source>
        <translation>Rechte</translation>
    </message>
    <message>
        <source>Role</source>
        <translation>Rolle</translation>
    </message>
    <message>
        <source>Cluster</source>
        <translation>Cluster</translation>
    </message>
</context>
<context>
    <name>lk::ClusterCoverage</name>
    <message>
        <source>whether this is a replica or a cluster node is unknown</source>
        <translation>ob dies ein Replikat oder ein Clusterknoten ist, ist unbekannt</translation>
    </message>
    <message>
        <source>the number of other nodes in this cluster is unknown</source>
        <translation>die Zahl der anderen Knoten in diesem Cluster ist unbekannt</translation>
    </message>
    <message>
        <source>%1 of %2 masters, %3 of %4 slots</source>
        <translation>%1 von %2 Mastern, %3 von %4 Slots</translation>
    </message>
    <message>
        <source>%1 masters, all slots</source>
        <translation>%1 Master, alle Slots</translation>
    </message>
</context>
<context>
    <name>lk::ClusterMap</name>
    <message>
        <source>%1 of %2 masters, %3 of %4 slots</source>
        <translation>%1 von %2 Mastern, %3 von %4 Slots</translation>
    </message>
    <message>
        <source>it cannot reach %1 (slots %2)</source>
        <translation>er erreicht %1 nicht (Slots %2)</translation>
    </message>
    <message>
        <source>no node serves slots %1</source>
        <translation>kein Knoten bedient die Slots %1</translation>
    </message>
    <message>
        <source>%1 from %2 to %3</source>
        <translation>%1 von %2 nach %3</translation>
    </message>
</context>
<context>
    <name>lk::CodeView</name>
    <message>
        <source>Code</source>
        <translation>Code</translation>
    </message>
    <message>
        <source>&amp;Copy the code</source>
        <translation>&amp;Code kopieren</translation>
    </message>
    <message>
        <source>It is shown only now and is not stored anywhere.</source>
        <translation>Er wird nur jetzt angezeigt und nirgends gespeichert.</translation>
    </message>
    <message>
        <source>Copied. It is cleared from the clipboard in %1.</source>
        <translation>Kopiert. Die Zwischenablage wird in %1 geleert.</translation>
    </message>
</context>
<context>
    <name>lk::Column</name>
    <message>
        <source>none</source>
        <comment>no TTL</comment>
        <translation>keine</translation>
    </message>
    <message>
        <source>now</source>
        <translation>jetzt</translation>
    </message>
    <message>
        <source>never</source>
        <comment>lease</comment>
        <translation>nie</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Used / limit</source>
        <translation>Belegt / Limit</translation>
    </message>
    <message>
        <source>Next free</source>
        <translation>Wieder frei</translation>
    </message>
    <message>
        <source>Retry after</source>
        <translation>Retry-After</translation>
    </message>
    <message>
        <source>Layout</source>
        <translation>Layout</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>Fenster</translation>
    </message>
    <message>
        <source>Owner</source>
        <translation>Besitzer</translation>
    </message>
    <message>
        <source>TTL</source>
        <translation>TTL</translation>
    </message>
    <message>
        <source>Held for</source>
        <translation>Gehalten seit</translation>
    </message>
    <message>
        <source>Renewals</source>
        <translation>Verlängerungen</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>Wartend</translation>
    </message>
    <message>
        <source>In progress</source>
        <translation>In Arbeit</translation>
    </message>
    <message>
        <source>Stuck</source>
        <translation>Hängend</translation>
    </message>
    <message>
        <source>Delayed</source>
        <translation>Verzögert</translation>
    </message>
    <message>
        <source>Dead-lettered</source>
        <translation>In Dead Letters</translation>
    </message>
    <message>
        <source>Expires in</source>
        <translation>Läuft ab in</translation>
    </message>
    <message>
        <source>Uses</source>
        <translation>Verwendungen</translation>
    </message>
    <message>
        <source>Holds</source>
        <translation>Enthält</translation>
    </message>
    <message>
        <source>Used</source>
        <translation>Belegt</translation>
    </message>
    <message>
        <source>Limit</source>
        <translation>Limit</translation>
    </message>
    <message>
        <source>Oldest in progress</source>
        <translation>Ältester in Arbeit</translation>
    </message>
    <message>
        <source>In per second</source>
        <translation>Zugang pro Sekunde</translation>
    </message>
    <message>
        <source>Out per second</source>
        <translation>Abgang pro Sekunde</translation>
    </message>
    <message>
        <source>Per minute, at least</source>
        <translation>Pro Minute, mindestens</translation>
    </message>
    <message>
        <source>Longest</source>
        <translation>Längste</translation>
    </message>
    <message>
        <source>Rejected calls</source>
        <translation>Abgewiesene Aufrufe</translation>
    </message>
    <message>
        <source>Wake-ups</source>
        <translation>Wake-ups</translation>
    </message>
    <message numerus="yes">
        <source>%Ln readers</source>
        <translation>
            <numerusform>%Ln Leser</numerusform>
            <numerusform>%Ln Leser</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln holders</source>
        <translation>
            <numerusform>%Ln Halter</numerusform>
            <numerusform>%Ln Halter</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 a minute</source>
        <comment>jobs</comment>
        <translation>%1 pro Minute</translation>
    </message>
    <message>
        <source>%1 a second</source>
        <comment>jobs</comment>
        <translation>%1 pro Sekunde</translation>
    </message>
    <message>
        <source>as the library counts</source>
        <translation>nach Zählung der Bibliothek</translation>
    </message>
    <message>
        <source>as the library counts, all of its queues together</source>
        <translation>nach Zählung der Bibliothek, alle ihre Warteschlangen zusammen</translation>
    </message>
    <message>
        <source>as its workers count, including their other queues</source>
        <translation>nach Zählung der Worker, samt den anderen Warteschlangen, die sie bedienen</translation>
    </message>
    <message>
        <source>at least: of the jobs that are still kept</source>
        <translation>mindestens: nach den Jobs, die noch aufgehoben sind</translation>
    </message>
    <message>
        <source>not counted</source>
        <translation>nicht gezählt</translation>
    </message>
    <message>
        <source>%1 completed, %2 failed (%3)</source>
        <comment>rates, who says so</comment>
        <translation>%1 abgeschlossen, %2 fehlgeschlagen (%3)</translation>
    </message>
    <message>
        <source>jobs per second, at least</source>
        <translation>Jobs pro Sekunde, mindestens</translation>
    </message>
    <message>
        <source>jobs per second, %1</source>
        <comment>who says so</comment>
        <translation>Jobs pro Sekunde, %1</translation>
    </message>
    <message numerus="yes">
        <source>p50 %1, p95 %2, p99 %3, of %Ln jobs</source>
        <translation>
            <numerusform>p50 %1, p95 %2, p99 %3, aus %Ln Job</numerusform>
            <numerusform>p50 %1, p95 %2, p99 %3, aus %Ln Jobs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>of the last %Ln jobs</source>
        <translation>
            <numerusform>aus dem letzten %Ln Job</numerusform>
            <numerusform>aus den letzten %Ln Jobs</numerusform>
        </translation>
    </message>
    <message>
        <source>Throughput</source>
        <translation>Durchsatz</translation>
    </message>
    <message>
        <source>Waiting time</source>
        <translation>Wartezeit</translation>
    </message>
    <message>
        <source>Running time</source>
        <translation>Laufzeit</translation>
    </message>
    <message>
        <source>Completed per second</source>
        <translation>Abgeschlossen pro Sekunde</translation>
    </message>
    <message>
        <source>completed</source>
        <translation>abgeschlossen</translation>
    </message>
    <message>
        <source>Failed per second</source>
        <translation>Fehlgeschlagen pro Sekunde</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>fehlgeschlagen</translation>
    </message>
    <message>
        <source>Waiting time p50</source>
        <translation>Wartezeit p50</translation>
    </message>
    <message>
        <source>Waiting time p95</source>
        <translation>Wartezeit p95</translation>
    </message>
    <message>
        <source>Waiting time p99</source>
        <translation>Wartezeit p99</translation>
    </message>
    <message>
        <source>Running time p50</source>
        <translation>Laufzeit p50</translation>
    </message>
    <message>
        <source>Running time p95</source>
        <translation>Laufzeit p95</translation>
    </message>
    <message>
        <source>Running time p99</source>
        <translation>Laufzeit p99</translation>
    </message>
    <message>
        <source>unknown for all jobs of the last hour</source>
        <translation>für alle Jobs der letzten Stunde unbekannt</translation>
    </message>
    <message>
        <source>Oldest waiting</source>
        <translation>Wartet am längsten</translation>
    </message>
    <message>
        <source>Overdue</source>
        <translation>Überfällig</translation>
    </message>
</context>
<context>
    <name>lk::CommandSpec</name>
    <message>
        <source>Unknown option %1; %2 --help lists all</source>
        <translation>Unbekannte Option %1; %2 --help nennt alle</translation>
    </message>
    <message>
        <source>--%1 takes no value</source>
        <translation>--%1 hat keinen Wert</translation>
    </message>
    <message>
        <source>%1 needs a value</source>
        <translation>%1 braucht einen Wert</translation>
    </message>
    <message>
        <source>Print this help.</source>
        <translation>Diese Hilfe ausgeben.</translation>
    </message>
    <message>
        <source>Unexpected argument %1</source>
        <translation>Unerwartetes Argument %1</translation>
    </message>
    <message>
        <source>Usage:</source>
        <translation>Aufruf:</translation>
    </message>
    <message>
        <source>Options:</source>
        <translation>Optionen:</translation>
    </message>
    <message>
        <source>Example:</source>
        <translation>Beispiel:</translation>
    </message>
</context>
<context>
    <name>lk::Commands</name>
    <message>
        <source>Print token codes in full. Default: masked</source>
        <translation>Token-Codes ganz ausgeben. Vorgabe: maskiert</translation>
    </message>
    <message>
        <source>Print text, or JSON for programs. Default: text</source>
        <translation>Text ausgeben oder JSON für Programme. Vorgabe: text</translation>
    </message>
    <message>
        <source>Exit codes: 0 printed, 2 wrong use, no connection, or it cannot be written.
</source>
        <translation>Exit-Codes: 0 ausgegeben, 2 falscher Aufruf, keine Verbindung oder nicht zu schreiben.
</translation>
    </message>
    <message>
        <source>Print text, JSON, or counts for node_exporter&apos;s textfile collector. Default: text</source>
        <translation>Text, JSON oder Zahlen für den Textfile-Collector von node_exporter ausgeben. Vorgabe: text</translation>
    </message>
    <message>
        <source>Exit with 1 from this severity on. Default: warning</source>
        <translation>Ab diesem Schweregrad mit 1 enden. Vorgabe: warning</translation>
    </message>
    <message>
        <source>Print the jobs of a queue by their states. Only reads; needs no display.</source>
        <translation>Die Jobs einer Warteschlange nach Zuständen ausgeben. Liest nur; braucht keine Anzeige.</translation>
    </message>
    <message>
        <source>Print at most this many jobs of each state, up to 1000. Default: 50</source>
        <translation>Höchstens so viele Jobs jedes Zustands ausgeben, bis zu 1000. Vorgabe: 50</translation>
    </message>
    <message>
        <source>Print payloads, up to 64 kB each. Default: their sizes</source>
        <translation>Payloads ausgeben, jeweils bis 64 kB. Vorgabe: ihre Größen</translation>
    </message>
    <message>
        <source>QUEUE is the library&apos;s own name for it, as snapshot prints it, or one of its keys.
</source>
        <translation>QUEUE ist der Name der Bibliothek dafür, wie snapshot ihn ausgibt, oder einer der Keys.
</translation>
    </message>
    <message>
        <source>Exit codes: 0 printed, 1 no such queue or state, 2 wrong use, no connection, or it cannot be written.
</source>
        <translation>Exit-Codes: 0 ausgegeben, 1 keine solche Warteschlange oder kein solcher Zustand, 2 falscher Aufruf, keine Verbindung oder nicht zu schreiben.
</translation>
    </message>
    <message>
        <source>Check these files and print what is wrong in them, and where.</source>
        <translation>Diese Dateien prüfen und ausgeben, was darin falsch ist und wo.</translation>
    </message>
    <message>
        <source>Print the ACL SETUSER lines that give Lockkeeper a user of its own; or, with a URL, what
its user lacks and what that hides. Only reads; needs no display.</source>
        <translation>Die Zeilen mit ACL SETUSER für einen eigenen Benutzer von Lockkeeper ausgeben; mit URL, was
dem Benutzer fehlt und was das verbirgt. Liest nur; braucht keine Anzeige.</translation>
    </message>
    <message>
        <source>Include what actions need. Default: a user who only reads</source>
        <translation>Auch aufnehmen, was Aktionen brauchen. Vorgabe: ein Benutzer, der nur liest</translation>
    </message>
    <message>
        <source>Exit codes: 0 printed or nothing is missing, 1 something is missing, 2 wrong use or no
connection.
</source>
        <translation>Exit-Codes: 0 ausgegeben oder nichts fehlt, 1 etwas fehlt, 2 falscher Aufruf oder keine
Verbindung.
</translation>
    </message>
    <message>
        <source>Print the rate limiters, locks, queues and tokens of a server, once, or of several
side by side. Only reads; needs no display.</source>
        <translation>Die Limiter, Locks, Warteschlangen und Tokens eines Servers einmal ausgeben, oder die von
mehreren nebeneinander. Liest nur; braucht keine Anzeige.</translation>
    </message>
    <message>
        <source>Print the findings of a server, or of several side by side, for cron jobs and
monitoring. Only reads; needs no display.</source>
        <translation>Die Befunde eines Servers oder von mehreren nebeneinander ausgeben, für Cronjobs und
Monitoring. Liest nur; braucht keine Anzeige.</translation>
    </message>
    <message>
        <source>Test the connection alone, stage by stage: name, SSH, TCP, TLS, login, permissions, role, Sentinel, cluster</source>
        <translation>Nur die Verbindung testen, Stufe für Stufe: Name, SSH, TCP, TLS, Anmeldung, Rechte, Rolle, Sentinel, Cluster</translation>
    </message>
    <message>
        <source>Exit codes: 0 no finding at or above --fail-on, 1 some, 2 not everything could be read;
with --connection: 0 all is well, 1 a warning, 2 no connection.
</source>
        <translation>Exit-Codes: 0 kein Befund ab --fail-on, 1 mindestens einer, 2 nicht alles war zu lesen;
mit --connection: 0 alles in Ordnung, 1 eine Warnung, 2 keine Verbindung.
</translation>
    </message>
    <message>
        <source>Use this recording. Default: ~/.local/state/lockkeeper/history.db</source>
        <translation>Diese Aufzeichnung verwenden. Vorgabe: ~/.local/state/lockkeeper/history.db</translation>
    </message>
    <message>
        <source>Serve /metrics for Prometheus, and /healthz. Default: nothing</source>
        <translation>/metrics für Prometheus und /healthz bereitstellen. Vorgabe: nichts</translation>
    </message>
    <message>
        <source>Print the recorded history of one lock, limiter, queue or token: who held it, when it was
full or stuck, and the actions on it. Connects to no server; needs no display.</source>
        <translation>Den aufgezeichneten Verlauf von Lock, Limiter, Warteschlange oder Token ausgeben: wer es
hielt, wann es voll war oder hing, und die Aktionen darauf. Verbindet sich mit keinem Server;
braucht keine Anzeige.</translation>
    </message>
    <message>
        <source>Print text, JSON for programs, or CSV for tables. Default: text</source>
        <translation>Text ausgeben, JSON für Programme oder CSV für Tabellen. Vorgabe: text</translation>
    </message>
    <message>
        <source>Exit codes: 0 printed, 1 nothing is recorded under that name, 2 wrong use, or there is no
recording.
</source>
        <translation>Exit-Codes: 0 ausgegeben, 1 unter diesem Namen ist nichts aufgezeichnet, 2 falscher Aufruf
oder keine Aufzeichnung vorhanden.
</translation>
    </message>
    <message>
        <source>Give up after this long without progress. Default: 60s</source>
        <translation>Nach dieser Dauer ohne Fortschritt aufgeben. Vorgabe: 60s</translation>
    </message>
    <message>
        <source>Read about this many keys and estimate the rest. Default: all</source>
        <translation>Etwa so viele Keys lesen und den Rest schätzen. Vorgabe: alle</translation>
    </message>
    <message>
        <source>Stop reading once this much memory is used. Default: no limit</source>
        <translation>Nicht weiterlesen, sobald so viel Speicher belegt ist. Vorgabe: keine Grenze</translation>
    </message>
    <message>
        <source>Print the state as of this time, from the recording: 2026-03-01T03:12, 03:12 or -2h. Default: now</source>
        <translation>Den Stand zu dieser Zeit aus der Aufzeichnung ausgeben: 2026-03-01T03:12, 03:12 oder -2h. Vorgabe: jetzt</translation>
    </message>
    <message>
        <source>Lockkeeper shows the rate limiters, locks, queues and one-time tokens stored in Redis.

Usage:
  lockkeeper [URL]                       open the console (lockkeeper-console)
  lockkeeper --demo [--cluster]          open it on a private server with live traffic,
                                         or on a cluster
  lockkeeper snapshot URL...             print all that is detected, once
  lockkeeper check URL...                print the findings of a server
  lockkeeper jobs URL QUEUE              print the jobs of a queue
  lockkeeper record URL...               record what happens, until stopped
  lockkeeper history NAME                print the recorded history of one lock, limiter,
                                         queue or token
  lockkeeper act URL KIND VERB NAME      run one action: planned, guarded, journaled
  lockkeeper layouts                     print the layouts that Lockkeeper can detect
  lockkeeper redlock                     print locks held by a quorum of servers
  lockkeeper redlock release NAME        release one on all of them
  lockkeeper acl [URL]                   print the permissions that it needs, or lacks
  lockkeeper screenshots URL FOLDER      save every board as a PNG file
  lockkeeper help COMMAND                print the options of a command, with an example

Only the console needs a display.

URL:
  redis://[user][:password]@host[:port][/database]
  rediss://...  over TLS, with ?ca=FILE for an authority of your own, and
                ?cert=FILE&amp;key=FILE for a certificate of your own; &amp;sni=NAME if the
                server&apos;s certificate is for another name than the host
  unix:///path/to/redis.sock[?db=N]
  redis-sentinel://[user][:password]@host[:port][,host...]/MASTER[/database]
                with ?sentinel_user=NAME&amp;sentinel_password=TEXT for the Sentinels&apos; own
                login; rediss-sentinel:// over TLS
  redis-cluster://[user][:password]@host[:port][,host...]
                rediss-cluster:// over TLS; redis://...?cluster=no shows one node alone
  ssh://[user@]jump[:port]/ADDRESS  any of these through a jump host, by the system&apos;s
                ssh; or with ?ssh=[user@]jump[:port]
  ?map=ANNOUNCED=REACHED[,...]  where servers are reached that announce an address
                which is not reachable from here, each as host:port
  The password can be in the environment variable LOCKKEEPER_PASSWORD instead.

Options:
  --help, -h             Print this help.
  --version              Print the version.

Exit codes: 0 done, 1 found or refused, 2 wrong use or no connection.
</source>
        <translation>Lockkeeper zeigt die Limiter, Locks, Warteschlangen und Einmal-Tokens in Redis.

Aufruf:
  lockkeeper [URL]                       die Konsole öffnen (lockkeeper-console)
  lockkeeper --demo [--cluster]          sie auf einem privaten Server mit laufendem
                                         Verkehr öffnen oder auf einem Cluster
  lockkeeper snapshot URL...             alles, was erkannt wird, einmal ausgeben
  lockkeeper check URL...                die Befunde eines Servers ausgeben
  lockkeeper jobs URL QUEUE              die Jobs einer Warteschlange ausgeben
  lockkeeper record URL...               aufzeichnen, was geschieht, bis zum Beenden
  lockkeeper history NAME                den aufgezeichneten Verlauf von Lock, Limiter,
                                         Warteschlange oder Token ausgeben
  lockkeeper act URL KIND VERB NAME      eine Aktion: geplant, abgesichert, im Journal
  lockkeeper layouts                     die Layouts ausgeben, die Lockkeeper erkennt
  lockkeeper redlock                     Locks ausgeben, die ein Quorum von Servern hält
  lockkeeper redlock release NAME        eines davon auf allen Servern freigeben
  lockkeeper acl [URL]                   nötige oder fehlende Berechtigungen ausgeben
  lockkeeper screenshots URL FOLDER      jedes Board als PNG-Datei speichern
  lockkeeper help COMMAND                die Optionen eines Befehls mit Beispiel ausgeben

Nur die Konsole braucht eine Anzeige.

URL:
  redis://[user][:password]@host[:port][/database]
  rediss://...  über TLS, mit ?ca=FILE für eine eigene Zertifizierungsstelle und
                ?cert=FILE&amp;key=FILE für ein eigenes Zertifikat; &amp;sni=NAME, wenn das
                Zertifikat des Servers für einen anderen Namen als den Host gilt
  unix:///path/to/redis.sock[?db=N]
  redis-sentinel://[user][:password]@host[:port][,host...]/MASTER[/database]
                mit ?sentinel_user=NAME&amp;sentinel_password=TEXT für die eigene
                Anmeldung der Sentinels; rediss-sentinel:// über TLS
  redis-cluster://[user][:password]@host[:port][,host...]
                rediss-cluster:// über TLS; redis://...?cluster=no zeigt nur einen Knoten
  ssh://[user@]jump[:port]/ADDRESS  jede davon über einen Jump-Host, mit dem ssh des
                Systems; oder mit ?ssh=[user@]jump[:port]
  ?map=ANNOUNCED=REACHED[,...]  wo Server erreichbar sind, die eine von hier nicht
                erreichbare Adresse ankündigen, jeweils als host:port
  Das Passwort kann stattdessen in der Umgebungsvariablen LOCKKEEPER_PASSWORD stehen.

Optionen:
  --help, -h             Diese Hilfe ausgeben.
  --version              Die Version ausgeben.

Exit-Codes: 0 erledigt, 1 gefunden oder abgelehnt, 2 falscher Aufruf oder keine Verbindung.
</translation>
    </message>
    <message>
        <source>Record what happens in deployments until stopped: states, holders, findings, actions,
failovers. Only reads them; needs no display.</source>
        <translation>Aufzeichnen, was in Deployments geschieht, bis zum Beenden: Zustände, Halter, Befunde,
Aktionen, Failover. Liest sie nur; braucht keine Anzeige.</translation>
    </message>
    <message>
        <source>Stop after this long, such as 10m. Default: at SIGTERM or Ctrl+C</source>
        <translation>Nach dieser Dauer beenden, etwa 10m. Vorgabe: bei SIGTERM oder Ctrl+C</translation>
    </message>
    <message>
        <source>Send a test notification to this target of the configuration, and exit</source>
        <translation>Eine Testbenachrichtigung an dieses Ziel der Konfiguration senden und beenden</translation>
    </message>
    <message>
        <source>Exit codes: 0 stopped, 2 wrong use, or no deployment could be reached.
</source>
        <translation>Exit-Codes: 0 beendet, 2 falscher Aufruf oder kein Deployment erreichbar.
</translation>
    </message>
    <message>
        <source>Begin at this time: 2026-03-01T03:12, 03:12 or -2h. Default: 24 hours before the end</source>
        <translation>Ab dieser Zeit: 2026-03-01T03:12, 03:12 oder -2h. Standard: 24 Stunden vor dem Ende</translation>
    </message>
    <message>
        <source>End at this time. Default: now, or the end of the recording</source>
        <translation>Bis zu dieser Zeit. Standard: jetzt oder das Ende der Aufzeichnung</translation>
    </message>
    <message>
        <source>NAME is what the library calls it, as snapshot prints it, or one of its keys. TIME is in this
machine&apos;s zone unless it names another, and by the server&apos;s clock.
</source>
        <translation>NAME ist, wie die Bibliothek es nennt und snapshot es ausgibt, oder einer seiner Keys. TIME gilt in
der Zeitzone dieses Rechners, wenn sie keine andere nennt, und nach der Uhr des Servers.
</translation>
    </message>
    <message>
        <source>Limit the load on the server. Default: as fast as it answers, in short slices while it is busy with other clients</source>
        <translation>Die Last auf dem Server begrenzen. Vorgabe: so schnell er antwortet, in kurzen Scheiben, solange er mit anderen Clients beschäftigt ist</translation>
    </message>
    <message>
        <source>With several URLs, text has a heading for each, JSON is {&quot;schema&quot;:2,&quot;deployments&quot;:[...]}, and the
highest exit code is returned.
</source>
        <translation>Bei mehreren URLs hat Text eine Überschrift für jede, JSON ist {&quot;schema&quot;:2,&quot;deployments&quot;:[...]},
und der höchste Exit-Code wird zurückgegeben.
</translation>
    </message>
    <message>
        <source>Accept partial results where this user lacks permissions. Default: exit with 2</source>
        <translation>Unvollständige Ergebnisse annehmen, wo diesem Benutzer Rechte fehlen. Vorgabe: mit 2 enden</translation>
    </message>
    <message>
        <source>Print jobs with this text in their ID, name, worker, error or payload, of the first 100,000 of each state. Default: the first jobs</source>
        <translation>Jobs mit diesem Text in ID, Name, Worker, Fehler oder Nutzdaten ausgeben, aus den ersten 100.000 jedes Zustands. Vorgabe: die ersten Jobs</translation>
    </message>
    <message>
        <source>Replace PASSWORD with a password. A server may reject some of the last lines
because its version lacks those commands; this is harmless.
</source>
        <translation>PASSWORD durch ein Passwort ersetzen. Ein Server weist vielleicht einige der letzten Zeilen
zurück, weil seiner Version diese Befehle fehlen; das schadet nicht.
</translation>
    </message>
    <message>
        <source>Print the line for Sentinels, which have users of their own</source>
        <translation>Die Zeile für Sentinels ausgeben, die eigene Benutzer haben</translation>
    </message>
    <message>
        <source>--pace takes polite, normal or fast</source>
        <translation>--pace akzeptiert polite, normal oder fast</translation>
    </message>
    <message>
        <source>Limit the load of the scan on the servers. Default: normal</source>
        <translation>Last des Scans auf den Servern begrenzen. Vorgabe: normal</translation>
    </message>
    <message>
        <source>Print only jobs of this state, by the library&apos;s name or by its role: ready, processing, delayed, dead, done, paused. Default: all states</source>
        <translation>Nur Jobs in diesem Zustand ausgeben, mit dem Namen der Bibliothek oder der Rolle: ready, processing, delayed, dead, done, paused. Vorgabe: alle Zustände</translation>
    </message>
    <message>
        <source>SIGHUP reloads the configuration file. Several programs may use one recording; one of them
records a deployment at a time.
</source>
        <translation>SIGHUP lädt die Konfigurationsdatei neu. Mehrere Programme können eine Aufzeichnung nutzen; jeweils
eines davon zeichnet ein Deployment auf.
</translation>
    </message>
    <message>
        <source>Search only this deployment, by its address or its title. Default: all</source>
        <translation>Nur in diesem Deployment suchen, nach Adresse oder Titel. Vorgabe: in allen</translation>
    </message>
    <message>
        <source>Answer --listen only with the password in this file of mode 600 (Basic authentication, any user name). Default: no password</source>
        <translation>--listen nur mit dem Passwort aus dieser Datei mit Modus 600 beantworten (Basic Authentication, beliebiger Benutzername). Standard: kein Passwort</translation>
    </message>
    <message>
        <source>Print the layouts that Lockkeeper can detect, and where each comes from; check layout
files of your own; or print what one finds on a server, and why not more. Only reads; needs no display.</source>
        <translation>Gibt die Layouts aus, die Lockkeeper erkennen kann, und woher jedes stammt, prüft eigene
Layoutdateien, oder gibt aus, was eine auf einem Server findet, und warum nicht mehr. Liest nur; braucht keine Anzeige.</translation>
    </message>
    <message>
        <source>Print what this file finds on the server, and why not more.</source>
        <translation>Ausgeben, was diese Datei auf dem Server findet, und warum nicht mehr.</translation>
    </message>
    <message>
        <source>Exit codes: 0 printed, valid or something found, 1 a file is invalid or finds nothing, 2 wrong
use, no connection, or a file cannot be read.
</source>
        <translation>Rückgabewerte: 0 ausgegeben, gültig oder etwas gefunden, 1 eine Datei ist ungültig oder findet nichts,
2 falscher Aufruf, keine Verbindung, oder eine Datei ist nicht lesbar.
</translation>
    </message>
</context>
<context>
    <name>lk::Completion</name>
    <message>
        <source>Print the options of a command</source>
        <translation>Die Optionen eines Befehls ausgeben</translation>
    </message>
    <message>
        <source>completion needs a shell: bash, zsh or fish</source>
        <translation>completion braucht eine Shell: bash, zsh oder fish</translation>
    </message>
</context>
<context>
    <name>lk::Config</name>
    <message>
        <source>%1 must be a whole number above zero, such as 40</source>
        <translation>%1 muss eine ganze Zahl über null sein, z. B. 40</translation>
    </message>
    <message>
        <source>%1 must be a size in quotes, such as &quot;500KB&quot; or &quot;10MB&quot;</source>
        <translation>%1 muss eine Größe in Anführungszeichen sein, z. B. &quot;500KB&quot; oder &quot;10MB&quot;</translation>
    </message>
    <message>
        <source>%1 must be a duration in quotes, such as &quot;10s&quot;, &quot;10m&quot;, &quot;24h&quot; or &quot;30d&quot;</source>
        <translation>%1 muss eine Dauer in Anführungszeichen sein, z. B. &quot;10s&quot;, &quot;10m&quot;, &quot;24h&quot; oder &quot;30d&quot;</translation>
    </message>
    <message>
        <source>&quot;thresholds&quot; is written as [check.thresholds]</source>
        <translation>&quot;thresholds&quot; wird als [check.thresholds] geschrieben</translation>
    </message>
    <message>
        <source>unknown threshold %1; %2</source>
        <translation>unbekannter Schwellwert %1; %2</translation>
    </message>
    <message>
        <source>unknown code %1; %2</source>
        <translation>unbekannter Code %1; %2</translation>
    </message>
    <message>
        <source>&quot;silence&quot; must be a list of codes, such as [&quot;lock-expired&quot;]</source>
        <translation>&quot;silence&quot; muss eine Liste von Codes sein, z. B. [&quot;lock-expired&quot;]</translation>
    </message>
    <message>
        <source>unknown key %1; %2</source>
        <translation>unbekannter Schlüssel %1; %2</translation>
    </message>
    <message>
        <source>%1 must be a string in quotes</source>
        <translation>%1 muss eine Zeichenkette in Anführungszeichen sein</translation>
    </message>
    <message>
        <source>&quot;check&quot; is written as [check], once</source>
        <translation>&quot;check&quot; wird als [check] geschrieben, einmal</translation>
    </message>
    <message>
        <source>unknown table %1; %2</source>
        <translation>unbekannte Tabelle %1; %2</translation>
    </message>
    <message>
        <source>%1 is written as [[%2]], once for each key or pattern</source>
        <translation>%1 wird als [[%2]] geschrieben, einmal für jeden Key oder jedes Muster</translation>
    </message>
    <message>
        <source>&quot;key&quot; is missing; write key = &quot;a name or a pattern&quot;</source>
        <translation>&quot;key&quot; fehlt; schreiben Sie key = &quot;a name or a pattern&quot;</translation>
    </message>
    <message>
        <source>%1 is empty</source>
        <translation>%1 ist leer</translation>
    </message>
    <message>
        <source>&quot;layout&quot; is missing; it is one of: %1</source>
        <translation>&quot;layout&quot; fehlt; möglich sind: %1</translation>
    </message>
    <message>
        <source>unknown layout %1; %2</source>
        <translation>unbekanntes Layout %1; %2</translation>
    </message>
    <message>
        <source>the layout %1 belongs under [[%2]]; layouts for [[%3]]: %4</source>
        <translation>das Layout %1 gehört unter [[%2]]; Layouts für [[%3]]: %4</translation>
    </message>
    <message>
        <source>%1 must be a whole number above zero, such as 5</source>
        <translation>%1 muss eine ganze Zahl über null sein, z. B. 5</translation>
    </message>
    <message>
        <source>%1 must be a duration in quotes, such as &quot;250ms&quot;, &quot;1s&quot;, &quot;10m&quot;, &quot;24h&quot; or &quot;7d&quot;</source>
        <translation>%1 muss eine Dauer in Anführungszeichen sein, z. B. &quot;250ms&quot;, &quot;1s&quot;, &quot;10m&quot;, &quot;24h&quot; oder &quot;7d&quot;</translation>
    </message>
    <message>
        <source>the key %1 is already declared in line %2; remove one of them</source>
        <translation>der Key %1 ist schon in Zeile %2 deklariert; entfernen Sie eine der beiden Deklarationen</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1: larger than 1 MiB</source>
        <translation>%1: größer als 1 MiB</translation>
    </message>
    <message>
        <source>%1: cannot be edited without changing something else; add it by hand</source>
        <translation>%1: lässt sich nicht bearbeiten, ohne anderes zu ändern; von Hand eintragen</translation>
    </message>
    <message>
        <source>%1:%2: this key is already declared as something else</source>
        <translation>%1:%2: dieser Key ist schon als etwas anderes deklariert</translation>
    </message>
    <message>
        <source>%1: the folder cannot be created</source>
        <translation>%1: der Ordner kann nicht angelegt werden</translation>
    </message>
    <message>
        <source>did you mean &quot;%1&quot;? Known: %2</source>
        <translation>meinten Sie &quot;%1&quot;? Bekannt: %2</translation>
    </message>
    <message>
        <source>known: %1</source>
        <translation>bekannt: %1</translation>
    </message>
    <message>
        <source>%1 must be whole seconds with the layout %2</source>
        <translation>%1 muss beim Layout %2 in ganzen Sekunden angegeben sein</translation>
    </message>
    <message>
        <source>%1 cannot be used with the layout %2; it is for: %3</source>
        <translation>%1 passt nicht zum Layout %2; möglich bei: %3</translation>
    </message>
    <message>
        <source>%1:%2: this key is already declared</source>
        <translation>%1:%2: dieser Key ist schon deklariert</translation>
    </message>
    <message>
        <source>&quot;resolve&quot; needs a metric, such as &quot;queue.ready &gt; 1000&quot;</source>
        <translation>&quot;resolve&quot; braucht eine Metrik, z. B. &quot;queue.ready &gt; 1000&quot;</translation>
    </message>
    <message>
        <source>&quot;resolve&quot; must be a number at which the condition does not hold</source>
        <translation>&quot;resolve&quot; muss eine Zahl sein, bei der die Bedingung nicht erfüllt ist</translation>
    </message>
    <message>
        <source>unknown day %1; %2</source>
        <translation>unbekannter Tag %1; %2</translation>
    </message>
    <message>
        <source>&quot;webhook&quot; must be an https:// URL; http:// only to this machine</source>
        <translation>&quot;webhook&quot; muss eine URL mit https:// sein; http:// nur zu diesem Rechner</translation>
    </message>
    <message>
        <source>a password does not belong in this file; sign with &quot;secret_env&quot; instead</source>
        <translation>ein Passwort gehört nicht in diese Datei; signieren Sie stattdessen mit &quot;secret_env&quot;</translation>
    </message>
    <message>
        <source>&quot;notify&quot; is written as [notify.NAME]</source>
        <translation>&quot;notify&quot; wird als [notify.NAME] geschrieben</translation>
    </message>
    <message>
        <source>[notify.%1] has either a &quot;webhook&quot; or a &quot;command&quot;</source>
        <translation>[notify.%1] hat entweder &quot;webhook&quot; oder &quot;command&quot;</translation>
    </message>
    <message>
        <source>&quot;command&quot; must be a list: the program, then its arguments</source>
        <translation>&quot;command&quot; muss eine Liste sein: das Programm, dann seine Argumente</translation>
    </message>
    <message>
        <source>unknown target %1; %2</source>
        <translation>unbekanntes Ziel %1; %2</translation>
    </message>
    <message>
        <source>&quot;alerts&quot; is written as [alerts], once</source>
        <translation>&quot;alerts&quot; wird als [alerts] geschrieben, einmal</translation>
    </message>
    <message>
        <source>the same alert is already in line %1; remove one of them</source>
        <translation>derselbe Alarm steht schon in Zeile %1; entfernen Sie einen der beiden</translation>
    </message>
    <message>
        <source>%1 is missing; write %2</source>
        <translation>%1 fehlt; schreiben Sie %2</translation>
    </message>
    <message>
        <source>%1 must be a number, such as 800</source>
        <translation>%1 muss eine Zahl sein, z. B. 800</translation>
    </message>
    <message>
        <source>%1 must be true or false</source>
        <translation>%1 muss true oder false sein</translation>
    </message>
    <message>
        <source>%1 must be a list of strings, such as [&quot;desktop&quot;]</source>
        <translation>%1 muss eine Liste von Zeichenketten sein, z. B. [&quot;desktop&quot;]</translation>
    </message>
    <message>
        <source>%1 is one of: %2</source>
        <translation>für %1 möglich sind: %2</translation>
    </message>
    <message>
        <source>%1 must be a time of day in quotes, such as &quot;22:00&quot;</source>
        <translation>%1 muss eine Uhrzeit in Anführungszeichen sein, z. B. &quot;22:00&quot;</translation>
    </message>
    <message>
        <source>&quot;servers&quot; must be the URLs of three servers or more, as in [&quot;redis://10.0.0.1&quot;, &quot;redis://10.0.0.2&quot;, &quot;redis://10.0.0.3&quot;]</source>
        <translation>&quot;servers&quot; muss aus den URLs von mindestens drei Servern bestehen, z. B. [&quot;redis://10.0.0.1&quot;, &quot;redis://10.0.0.2&quot;, &quot;redis://10.0.0.3&quot;]</translation>
    </message>
    <message>
        <source>&quot;servers&quot; must be URLs in quotes</source>
        <translation>&quot;servers&quot; muss aus URLs in Anführungszeichen bestehen</translation>
    </message>
    <message>
        <source>the servers of a Redlock are independent masters: redis://, rediss:// or unix://</source>
        <translation>die Server eines Redlock sind unabhängige Master: redis://, rediss:// oder unix://</translation>
    </message>
    <message>
        <source>&quot;match&quot; must be a pattern in quotes, such as &quot;lock:*&quot;</source>
        <translation>&quot;match&quot; muss ein Muster in Anführungszeichen sein, z. B. &quot;lock:*&quot;</translation>
    </message>
    <message>
        <source>&quot;servers&quot; is missing: the URLs of the servers that hold these locks together</source>
        <translation>&quot;servers&quot; fehlt: die URLs der Server, die diese Locks gemeinsam halten</translation>
    </message>
    <message>
        <source>&quot;match&quot; is missing; write match = &quot;lock:*&quot;, a pattern over the names of the locks</source>
        <translation>&quot;match&quot; fehlt; schreiben Sie match = &quot;lock:*&quot;, ein Muster für die Namen der Locks</translation>
    </message>
    <message>
        <source>&quot;redlock&quot; is written as [[redlock]], once for each group of servers</source>
        <translation>&quot;redlock&quot; wird als [[redlock]] geschrieben, einmal für jede Gruppe von Servern</translation>
    </message>
    <message>
        <source>&quot;desktop&quot; is built in; choose another name</source>
        <translation>&quot;desktop&quot; ist eingebaut; wählen Sie einen anderen Namen</translation>
    </message>
    <message>
        <source>this key is only for a &quot;webhook&quot;</source>
        <translation>diesen Schlüssel gibt es nur bei einem &quot;webhook&quot;</translation>
    </message>
    <message>
        <source>%1 must be a size in quotes, such as &quot;500MB&quot; or &quot;2GB&quot;</source>
        <translation>%1 muss eine Größe in Anführungszeichen sein, z. B. &quot;500MB&quot; oder &quot;2GB&quot;</translation>
    </message>
    <message>
        <source>&quot;size&quot; must be between %1 and %2</source>
        <translation>&quot;size&quot; muss zwischen %1 und %2 liegen</translation>
    </message>
    <message>
        <source>&quot;%1&quot; must be between %2 and %3</source>
        <translation>&quot;%1&quot; muss zwischen %2 und %3 liegen</translation>
    </message>
    <message>
        <source>&quot;%1&quot; (%2) must not be shorter than &quot;%3&quot; (%4), which is finer</source>
        <translation>&quot;%1&quot; (%2) darf nicht kürzer sein als das feinere &quot;%3&quot; (%4)</translation>
    </message>
    <message>
        <source>&quot;recording&quot; is written as [recording]</source>
        <translation>&quot;recording&quot; wird als [recording] geschrieben</translation>
    </message>
    <message>
        <source>%1 is written as [[%2]], once for each</source>
        <translation>%1 wird als [[%2]] geschrieben, einmal für jeden Eintrag</translation>
    </message>
    <message>
        <source>%1 is listed twice</source>
        <translation>%1 steht zweimal da</translation>
    </message>
</context>
<context>
    <name>lk::ConfigDialog</name>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>&amp;Write</source>
        <translation>&amp;Schreiben</translation>
    </message>
    <message>
        <source>%1 – Lockkeeper</source>
        <translation>%1 – Lockkeeper</translation>
    </message>
    <message>
        <source>This is written to %1:</source>
        <translation>Das wird in %1 geschrieben:</translation>
    </message>
    <message>
        <source>a name, or a pattern such as api:*</source>
        <translation>ein Name oder ein Muster wie api:*</translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation>&amp;Name</translation>
    </message>
    <message>
        <source>&amp;Key</source>
        <translation>&amp;Key</translation>
    </message>
    <message>
        <source>requests per window, such as 5</source>
        <translation>Anfragen pro Fenster, z. B. 5</translation>
    </message>
    <message>
        <source>1s, 10m, 24h</source>
        <translation>1s, 10m, 24h</translation>
    </message>
    <message>
        <source>&amp;Limit</source>
        <translation>&amp;Limit</translation>
    </message>
    <message>
        <source>Win&amp;dow</source>
        <translation>&amp;Fenster</translation>
    </message>
    <message>
        <source>The limit must be a whole number, 1 or more</source>
        <translation>Das Limit muss eine ganze Zahl ab 1 sein</translation>
    </message>
    <message>
        <source>The window must be a duration such as 250ms, 1s, 10m, 24h or 7d</source>
        <translation>Das Fenster muss eine Dauer sein, z. B. 250ms, 1s, 10m, 24h oder 7d</translation>
    </message>
    <message>
        <source>line %1</source>
        <translation>Zeile %1</translation>
    </message>
    <message>
        <source>lines %1 to %2</source>
        <translation>Zeilen %1 bis %2</translation>
    </message>
    <message>
        <source>Written and applied: %1 of %2. To revert it, edit them there.</source>
        <translation>Geschrieben und angewendet: %1 in %2. Zum Zurücknehmen dort bearbeiten.</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>Schl&amp;ießen</translation>
    </message>
</context>
<context>
    <name>lk::ConfigDraft</name>
    <message>
        <source>This is not a limiter</source>
        <translation>Das ist kein Limiter</translation>
    </message>
    <message>
        <source>This is not a lock</source>
        <translation>Das ist kein Lock</translation>
    </message>
    <message>
        <source>This is not a queue</source>
        <translation>Das ist keine Warteschlange</translation>
    </message>
    <message>
        <source>This is not a token</source>
        <translation>Das ist kein Token</translation>
    </message>
    <message>
        <source>This is not a pattern</source>
        <translation>Das ist kein Muster</translation>
    </message>
    <message>
        <source>Enter a key name or a pattern</source>
        <translation>Geben Sie einen Key-Namen oder ein Muster ein</translation>
    </message>
    <message>
        <source>Enter the limit, the window, or both</source>
        <translation>Geben Sie das Limit, das Fenster oder beides ein</translation>
    </message>
    <message>
        <source>Declare %1</source>
        <translation>%1 deklarieren</translation>
    </message>
    <message>
        <source>Redis does not store this limiter&apos;s limit. The declaration is written to the configuration file, which the console and lockkeeper check use.</source>
        <translation>Redis speichert das Limit dieses Limiters nicht. Die Deklaration wird in die Konfigurationsdatei geschrieben, die die Konsole und lockkeeper check verwenden.</translation>
    </message>
    <message>
        <source>%1 was detected as a %2. Ignored keys are counted as not recognized and left alone.</source>
        <translation>%1 wurde erkannt als: %2. Ignorierte Keys werden als nicht erkannt gezählt und in Ruhe gelassen.</translation>
    </message>
    <message>
        <source>Silence %1</source>
        <translation>%1 stummschalten</translation>
    </message>
    <message>
        <source>Silenced findings are counted and not reported, here and in lockkeeper check. Without a name, all findings with this code are silenced.</source>
        <translation>Stummgeschaltete Befunde werden gezählt und nicht gemeldet, hier und in lockkeeper check. Ohne Namen werden alle Befunde mit diesem Code stummgeschaltet.</translation>
    </message>
    <message>
        <source>%1 is no longer offered as a possible %2. Ignored keys are counted as not recognized and left alone.</source>
        <translation>%1 wird nicht mehr vorgeschlagen als: %2. Ignorierte Keys werden als nicht erkannt gezählt und in Ruhe gelassen.</translation>
    </message>
    <message>
        <source>It will be shown and counted as a %1.</source>
        <translation>Er wird als %1 gezeigt und gezählt.</translation>
    </message>
</context>
<context>
    <name>lk::Connection</name>
    <message>
        <source>a greeting that no Redis server sends</source>
        <translation>eine Begrüßung, die kein Redis-Server sendet</translation>
    </message>
    <message>
        <source>Commands that are empty or too large are not sent</source>
        <translation>Leere oder zu große Befehle werden nicht gesendet</translation>
    </message>
    <message>
        <source>a reply without a request</source>
        <translation>eine Antwort ohne Anfrage</translation>
    </message>
    <message>
        <source>more than %1 bytes in one batch</source>
        <translation>mehr als %1 Bytes in einem Batch</translation>
    </message>
    <message>
        <source>waiting for a reply from %1</source>
        <translation>Warten auf eine Antwort von %1</translation>
    </message>
    <message>
        <source>connecting to %1</source>
        <translation>Verbindungsaufbau zu %1</translation>
    </message>
    <message>
        <source>looking up %1</source>
        <translation>Namensauflösung von %1</translation>
    </message>
    <message>
        <source>logging in at %1</source>
        <translation>Anmeldung bei %1</translation>
    </message>
    <message>
        <source>logging in at the jump host %1</source>
        <translation>Anmeldung am Jump-Host %1</translation>
    </message>
</context>
<context>
    <name>lk::ConnectionBanner</name>
    <message>
        <source>Try now</source>
        <translation>Jetzt versuchen</translation>
    </message>
    <message>
        <source>Enter password…</source>
        <translation>Passwort eingeben…</translation>
    </message>
    <message>
        <source>This session stays read-only: %1.</source>
        <translation>Diese Sitzung liest weiterhin nur: %1.</translation>
    </message>
    <message>
        <source>This server is now a replica: write mode is off.</source>
        <translation>Dieser Server ist jetzt ein Replikat: Der Schreibmodus ist aus.</translation>
    </message>
    <message>
        <source>This server is now a replica of %1: write mode is off.</source>
        <translation>Dieser Server ist jetzt ein Replikat von %1: Der Schreibmodus ist aus.</translation>
    </message>
    <message>
        <source>Connect to %1</source>
        <translation>Mit %1 verbinden</translation>
    </message>
</context>
<context>
    <name>lk::ConnectionCheck</name>
    <message>
        <source>asking the Sentinels where %1 is</source>
        <translation>Anfrage an die Sentinels, wo %1 ist</translation>
    </message>
    <message>
        <source>%1, reached as %2</source>
        <translation>%1, erreichbar unter %2</translation>
    </message>
    <message>
        <source>The master of %1 is %2 (Sentinels that answer: %3)</source>
        <translation>Der Master von %1 ist %2 (antwortende Sentinels: %3)</translation>
    </message>
    <message>
        <source>%1 of %2 commands that reading needs are denied, as %3. %4 All of them: lockkeeper acl URL</source>
        <translation>Nicht erlaubt: %1 von %2 Befehlen, die zum Lesen nötig sind, z. B. %3. %4 Alle: lockkeeper acl URL</translation>
    </message>
    <message>
        <source>This user may not access database %1: grant it with ACL SETUSER NAME db=%1</source>
        <translation>Dieser Benutzer darf nicht auf Datenbank %1 zugreifen: Erlauben Sie es mit ACL SETUSER NAME db=%1</translation>
    </message>
    <message>
        <source>Not all keys or channels are allowed. Details: lockkeeper acl URL</source>
        <translation>Nicht alle Keys oder Kanäle sind erlaubt. Details: lockkeeper acl URL</translation>
    </message>
    <message>
        <source>. Connect with redis-sentinel://%1/MASTER instead.</source>
        <translation>. Verbinden Sie sich stattdessen mit redis-sentinel://%1/MASTER.</translation>
    </message>
    <message>
        <source>. Reading works; to act, connect to its master %1.</source>
        <translation>. Lesen ist möglich; für Aktionen verbinden Sie sich mit dem Master %1.</translation>
    </message>
    <message>
        <source>asking for the cluster&apos;s nodes</source>
        <translation>Abfrage der Clusterknoten</translation>
    </message>
    <message>
        <source>All %1 masters can be reached</source>
        <translation>Alle %1 Master sind erreichbar</translation>
    </message>
    <message>
        <source>a replica</source>
        <translation>Replikat</translation>
    </message>
    <message>
        <source>a master</source>
        <translation>Master</translation>
    </message>
    <message>
        <source>a cluster node</source>
        <translation>Clusterknoten</translation>
    </message>
    <message>
        <source>a Sentinel, which stores no keys</source>
        <translation>ein Sentinel, der keine Keys speichert</translation>
    </message>
    <message>
        <source>round trip under 0.1 ms</source>
        <translation>Round-Trip unter 0,1 ms</translation>
    </message>
    <message>
        <source>round trip %1 ms</source>
        <translation>Round-Trip %1 ms</translation>
    </message>
    <message>
        <source>1 key</source>
        <translation>1 Key</translation>
    </message>
    <message>
        <source>%1 keys</source>
        <translation>%1 Keys</translation>
    </message>
    <message>
        <source>This version has no ACL users: everything can be read</source>
        <translation>Diese Version kennt keine ACL-Benutzer: Alles ist lesbar</translation>
    </message>
    <message>
        <source>All permissions needed for reading are granted</source>
        <translation>Alle zum Lesen nötigen Berechtigungen sind vorhanden</translation>
    </message>
    <message>
        <source>Unknown: this user may run neither INFO nor ROLE</source>
        <translation>Unbekannt: Dieser Benutzer darf weder INFO noch ROLE ausführen</translation>
    </message>
    <message>
        <source>%1 of %2 masters cannot be reached: %3. If they announce addresses that are not reachable from here, map them with ?map=ANNOUNCED=REACHED</source>
        <translation>%1 von %2 Mastern nicht erreichbar: %3. Falls sie Adressen ankündigen, die von hier aus nicht erreichbar sind, ordnen Sie diese mit ?map=ANNOUNCED=REACHED zu</translation>
    </message>
    <message>
        <source>. Slots without an answer: %1 of 16,384: %2</source>
        <translation>. Slots ohne Antwort: %1 von 16.384: %2</translation>
    </message>
</context>
<context>
    <name>lk::ConnectionCommand</name>
    <message>
        <source>failed</source>
        <translation>fehlgeschlagen</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>Warnung</translation>
    </message>
    <message>
        <source>ok</source>
        <translation>ok</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
</context>
<context>
    <name>lk::ConnectionDialog</name>
    <message>
        <source>Connect – Lockkeeper</source>
        <translation>Verbinden – Lockkeeper</translation>
    </message>
    <message>
        <source>&amp;Forget</source>
        <translation>&amp;Vergessen</translation>
    </message>
    <message>
        <source>Removes the server from this list and its password from the keyring</source>
        <translation>Entfernt den Server aus dieser Liste und sein Passwort aus dem Schlüsselbund</translation>
    </message>
    <message>
        <source>Connect to Redis</source>
        <translation>Mit Redis verbinden</translation>
    </message>
    <message>
        <source>Open the de&amp;mo</source>
        <translation>De&amp;mo öffnen</translation>
    </message>
    <message>
        <source>A private server with live traffic, deleted when the window closes</source>
        <translation>Ein privater Server mit Live-Traffic, der beim Schließen des Fensters gelöscht wird</translation>
    </message>
    <message>
        <source>&amp;Test</source>
        <translation>&amp;Testen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>&amp;Connect</source>
        <translation>Ver&amp;binden</translation>
    </message>
    <message>
        <source>Asking the keyring for the password…</source>
        <translation>Der Schlüsselbund wird nach dem Passwort gefragt…</translation>
    </message>
    <message>
        <source>Connecting to %1…</source>
        <translation>Verbindung zu %1 wird aufgebaut…</translation>
    </message>
    <message>
        <source>Lockkeeper only reads until you turn on write mode.</source>
        <translation>Lockkeeper liest nur, bis Sie den Schreibmodus einschalten.</translation>
    </message>
    <message>
        <source>&amp;Servers</source>
        <translation>&amp;Server</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>Filtern</translation>
    </message>
    <message>
        <source>Filter the servers</source>
        <translation>Server filtern</translation>
    </message>
    <message>
        <source>St&amp;ar</source>
        <translation>Als &amp;Favorit</translation>
    </message>
    <message>
        <source>&amp;Group…</source>
        <translation>G&amp;ruppe…</translation>
    </message>
    <message>
        <source>&amp;Import…</source>
        <translation>Imp&amp;ortieren…</translation>
    </message>
    <message>
        <source>C&amp;lose %1</source>
        <translation>%1 sc&amp;hließen</translation>
    </message>
    <message>
        <source>Otherwise it stays open beside the new one</source>
        <translation>Sonst bleibt es neben dem neuen offen</translation>
    </message>
    <message>
        <source>Unst&amp;ar</source>
        <translation>Kein &amp;Favorit</translation>
    </message>
    <message>
        <source>Group – Lockkeeper</source>
        <translation>Gruppe – Lockkeeper</translation>
    </message>
    <message>
        <source>Group; empty for none:</source>
        <translation>Gruppe; leer für keine:</translation>
    </message>
    <message>
        <source>Import servers</source>
        <translation>Server importieren</translation>
    </message>
    <message>
        <source>Servers (*.json *.ano *.txt);;All files (*)</source>
        <translation>Server (*.json *.ano *.txt);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Connected: %1.</source>
        <translation>Verbunden: %1.</translation>
    </message>
    <message>
        <source>Keeps the server at the top of the list</source>
        <translation>Hält den Server oben in der Liste</translation>
    </message>
    <message>
        <source>Puts the server into a group and keeps it in the list</source>
        <translation>Ordnet den Server einer Gruppe zu und behält ihn in der Liste</translation>
    </message>
    <message>
        <source>Reads URLs, one per line, or an export from RedisInsight or Another Redis Desktop Manager</source>
        <translation>Liest URLs, eine pro Zeile, oder einen Export von RedisInsight oder Another Redis Desktop Manager</translation>
    </message>
    <message>
        <source>Connects, shows how each stage went, and disconnects</source>
        <translation>Verbindet sich, zeigt, wie jede Stufe verlief, und trennt die Verbindung</translation>
    </message>
    <message>
        <source>Not connected: the stage %1 failed.</source>
        <translation>Nicht verbunden: Die Stufe %1 ist fehlgeschlagen.</translation>
    </message>
</context>
<context>
    <name>lk::ConnectionForm</name>
    <message>
        <source>1 declaration</source>
        <translation>1 Deklaration</translation>
    </message>
    <message>
        <source>%1 declarations</source>
        <translation>%1 Deklarationen</translation>
    </message>
    <message>
        <source>%1 cannot be read</source>
        <translation>%1 kann nicht gelesen werden</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>Adresse</translation>
    </message>
    <message>
        <source>default</source>
        <translation>default</translation>
    </message>
    <message>
        <source>User</source>
        <translation>Benutzer</translation>
    </message>
    <message>
        <source>Password</source>
        <translation>Passwort</translation>
    </message>
    <message>
        <source>Database</source>
        <translation>Datenbank</translation>
    </message>
    <message>
        <source>Encrypt with T&amp;LS</source>
        <translation>Mit T&amp;LS verschlüsseln</translation>
    </message>
    <message>
        <source>Certificate authority</source>
        <translation>Zertifizierungsstelle</translation>
    </message>
    <message>
        <source>PEM file; default: the authorities this system trusts</source>
        <translation>PEM-Datei; Standard: die Stellen, denen dieses System vertraut</translation>
    </message>
    <message>
        <source>Certificates (*.pem *.crt *.cer);;All files (*)</source>
        <translation>Zertifikate (*.pem *.crt *.cer);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Trusts only servers signed by this authority</source>
        <translation>Vertraut nur Servern, deren Zertifikat von dieser Stelle signiert ist</translation>
    </message>
    <message>
        <source>Client certificate</source>
        <translation>Client-Zertifikat</translation>
    </message>
    <message>
        <source>PEM file, for a server that asks for one; empty: none</source>
        <translation>PEM-Datei für einen Server, der eines verlangt; leer: keines</translation>
    </message>
    <message>
        <source>Identifies this client to the server</source>
        <translation>Weist diesen Client gegenüber dem Server aus</translation>
    </message>
    <message>
        <source>Client key</source>
        <translation>Client-Schlüssel</translation>
    </message>
    <message>
        <source>PEM file without a passphrase; empty: in the certificate&apos;s file</source>
        <translation>PEM-Datei ohne Passphrase; leer: in der Datei des Zertifikats</translation>
    </message>
    <message>
        <source>Keys (*.pem *.key);;All files (*)</source>
        <translation>Schlüssel (*.pem *.key);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Stays on this machine</source>
        <translation>Bleibt auf diesem Rechner</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Environment</source>
        <translation>Umgebung</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>Configuration file</source>
        <translation>Konfigurationsdatei</translation>
    </message>
    <message>
        <source>What Redis does not store: limits, windows, processing lists</source>
        <translation>Was nicht in Redis steht: Limits, Fenster, Processing-Listen</translation>
    </message>
    <message>
        <source>Lockkeeper&apos;s TOML files (*.toml);;All files (*)</source>
        <translation>TOML-Dateien von Lockkeeper (*.toml);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>&amp;Address</source>
        <translation>&amp;Adresse</translation>
    </message>
    <message>
        <source>&amp;User</source>
        <translation>Ben&amp;utzer</translation>
    </message>
    <message>
        <source>&amp;Password</source>
        <translation>&amp;Passwort</translation>
    </message>
    <message>
        <source>&amp;Database</source>
        <translation>&amp;Datenbank</translation>
    </message>
    <message>
        <source>CA f&amp;ile</source>
        <translation>CA-Date&amp;i</translation>
    </message>
    <message>
        <source>Client ce&amp;rtificate</source>
        <translation>Client-&amp;Zertifikat</translation>
    </message>
    <message>
        <source>Client &amp;key</source>
        <translation>Client-S&amp;chlüssel</translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation>&amp;Name</translation>
    </message>
    <message>
        <source>&amp;Environment</source>
        <translation>Um&amp;gebung</translation>
    </message>
    <message>
        <source>Confi&amp;guration</source>
        <translation>&amp;Konfiguration</translation>
    </message>
    <message>
        <source>host:port, redis-sentinel://host/MASTER, redis-cluster://… or /path/r.sock</source>
        <translation>host:port, redis-sentinel://host/MASTER, redis-cluster://… oder /path/r.sock</translation>
    </message>
    <message>
        <source>Sentinel user</source>
        <translation>Sentinel-Benutzer</translation>
    </message>
    <message>
        <source>Sentinel password</source>
        <translation>Sentinel-Passwort</translation>
    </message>
    <message>
        <source>Sentinel pass&amp;word</source>
        <translation>Sentinel-Pass&amp;wort</translation>
    </message>
    <message>
        <source>user@host</source>
        <translation>user@host</translation>
    </message>
    <message>
        <source>SSH jump host</source>
        <translation>SSH-Jump-Host</translation>
    </message>
    <message>
        <source>SSH &amp;jump host</source>
        <translation>SSH-&amp;Jump-Host</translation>
    </message>
    <message>
        <source>The password of the Sentinels; it is not stored</source>
        <translation>Das Passwort der Sentinels; wird nicht gespeichert</translation>
    </message>
    <message>
        <source>Empty: connects directly. Otherwise connects through this host with the system&apos;s ssh and ~/.ssh/config; ssh must be able to log in without a prompt</source>
        <translation>Leer: verbindet direkt. Sonst über diesen Host mit dem ssh des Systems und ~/.ssh/config; ssh muss sich ohne Rückfrage anmelden können</translation>
    </message>
    <message>
        <source>such as orders-eu</source>
        <translation>etwa orders-eu</translation>
    </message>
</context>
<context>
    <name>lk::Console</name>
    <message>
        <source>Configuration not applied: %1</source>
        <translation>Konfiguration nicht angewendet: %1</translation>
    </message>
    <message>
        <source>The demo cannot run: %1</source>
        <translation>Die Demo kann nicht laufen: %1</translation>
    </message>
    <message>
        <source>Team file not read: %1</source>
        <translation>Team-Datei nicht gelesen: %1</translation>
    </message>
    <message>
        <source>Team</source>
        <translation>Team</translation>
    </message>
    <message>
        <source>%1 is not writable: it is shown, and nothing is recorded.</source>
        <translation>%1 ist nicht beschreibbar: Die Aufzeichnung wird angezeigt, aufgezeichnet wird nichts.</translation>
    </message>
</context>
<context>
    <name>lk::ConsoleInvocation</name>
    <message>
        <source>Show this label on the window; &quot;production&quot; stands out. Default: none</source>
        <translation>Diese Bezeichnung am Fenster zeigen; &quot;production&quot; fällt auf. Vorgabe: keine</translation>
    </message>
    <message>
        <source>--theme takes system, light or dark</source>
        <translation>--theme akzeptiert system, light oder dark</translation>
    </message>
    <message>
        <source>--demo brings its own server; leave the address out</source>
        <translation>--demo bringt einen eigenen Server mit; die Adresse weglassen</translation>
    </message>
    <message>
        <source>screenshots needs an address and a folder, as in: lockkeeper-console screenshots redis://127.0.0.1:6379 shots</source>
        <translation>screenshots braucht Adresse und Ordner, etwa: lockkeeper-console screenshots redis://127.0.0.1:6379 shots</translation>
    </message>
    <message>
        <source>Open the console: a window on the rate limiters, locks, queues and tokens stored in Redis.
Without URL it asks for a server.</source>
        <translation>Die Konsole öffnen: ein Fenster auf Limiter, Locks, Warteschlangen und Tokens in Redis.
Ohne URL fragt sie nach einem Server.</translation>
    </message>
    <message>
        <source>Start a private server with live traffic and open that.</source>
        <translation>Einen privaten Server mit laufendem Verkehr starten und öffnen.</translation>
    </message>
    <message>
        <source>Use this theme. Default: the last one used</source>
        <translation>Dieses Farbschema verwenden. Vorgabe: das zuletzt verwendete</translation>
    </message>
    <message>
        <source>Print the version.</source>
        <translation>Die Version ausgeben.</translation>
    </message>
    <message>
        <source>Exit codes: 0 closed, 2 wrong use or no display.
</source>
        <translation>Exit-Codes: 0 geschlossen, 2 falscher Aufruf oder keine Anzeige.
</translation>
    </message>
    <message>
        <source>Save every board as a PNG file. Only reads; needs no display.</source>
        <translation>Jedes Board als PNG-Datei speichern. Liest nur; braucht keine Anzeige.</translation>
    </message>
    <message>
        <source>Print the text snapshot as well.</source>
        <translation>Auch den Snapshot als Text ausgeben.</translation>
    </message>
    <message>
        <source>Exit codes: 0 saved, 2 wrong use, no connection, or they cannot be written.
</source>
        <translation>Exit-Codes: 0 gespeichert, 2 falscher Aufruf, keine Verbindung oder nicht zu schreiben.
</translation>
    </message>
    <message>
        <source>With --demo: start a cluster of three masters instead.</source>
        <translation>Mit --demo: stattdessen einen Cluster aus drei Mastern starten.</translation>
    </message>
    <message>
        <source>List the servers of this file in the connection dialog. Default: ~/.config/lockkeeper/team.toml, if it exists</source>
        <translation>Die Server dieser Datei im Verbindungsdialog auflisten. Vorgabe: ~/.config/lockkeeper/team.toml, falls vorhanden</translation>
    </message>
    <message>
        <source>--cluster needs --demo; your own cluster is detected automatically</source>
        <translation>--cluster braucht --demo; ein eigener Cluster wird automatisch erkannt</translation>
    </message>
    <message>
        <source>Use a private server with live traffic.</source>
        <translation>Einen privaten Server mit laufendem Verkehr verwenden.</translation>
    </message>
    <message>
        <source>With --demo: use a cluster of three masters.</source>
        <translation>Mit --demo: einen Cluster mit drei Mastern verwenden.</translation>
    </message>
    <message>
        <source>Use only this theme. Default: both</source>
        <translation>Nur dieses Design verwenden. Vorgabe: beide</translation>
    </message>
    <message>
        <source>--demo has a recording of its own; leave --store out</source>
        <translation>--demo hat eine eigene Aufzeichnung; --store weglassen</translation>
    </message>
    <message>
        <source>Show and continue this recording; if it is not writable, only show it. Default: ~/.local/state/lockkeeper/history.db</source>
        <translation>Diese Aufzeichnung anzeigen und fortsetzen; ist sie nicht beschreibbar, nur anzeigen. Vorgabe: ~/.local/state/lockkeeper/history.db</translation>
    </message>
</context>
<context>
    <name>lk::ConsoleStart</name>
    <message>
        <source>The console is not installed; install the package %1. snapshot, check and act work without it</source>
        <translation>Die Konsole ist nicht installiert; installieren Sie das Paket %1. snapshot, check und act gehen ohne sie</translation>
    </message>
    <message>
        <source>%1 cannot be started: %2</source>
        <translation>%1 lässt sich nicht starten: %2</translation>
    </message>
</context>
<context>
    <name>lk::ConsumerModel</name>
    <message>
        <source>%1, different</source>
        <translation>%1, abweichend</translation>
    </message>
    <message>
        <source>Not the resource&apos;s slot (%1): on a cluster one script cannot use both</source>
        <translation>Nicht der Slot der Ressource (%1): Im Cluster kann ein Skript nicht beide benutzen</translation>
    </message>
    <message>
        <source>Same slot as the resource&apos;s key</source>
        <translation>Derselbe Slot wie der Key der Ressource</translation>
    </message>
    <message>
        <source>now</source>
        <translation>jetzt</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Used / limit</source>
        <translation>Belegt / Limit</translation>
    </message>
    <message>
        <source>Next free</source>
        <translation>Wieder frei</translation>
    </message>
    <message>
        <source>Slot</source>
        <translation>Slot</translation>
    </message>
</context>
<context>
    <name>lk::ConsumerTable</name>
    <message>
        <source>Consumers</source>
        <translation>Consumer</translation>
    </message>
</context>
<context>
    <name>lk::Demo</name>
    <message>
        <source>Demo cluster</source>
        <translation>Demo-Cluster</translation>
    </message>
    <message>
        <source>Demo</source>
        <translation>Demo</translation>
    </message>
    <message>
        <source>demo</source>
        <translation>Demo</translation>
    </message>
</context>
<context>
    <name>lk::DemoCluster</name>
    <message>
        <source>the demo&apos;s nodes were joining a cluster</source>
        <translation>Zusammenschluss der Demo-Knoten zu einem Cluster</translation>
    </message>
</context>
<context>
    <name>lk::DemoServer</name>
    <message>
        <source>redis-server is not installed; on Debian: sudo apt-get install redis-server</source>
        <translation>redis-server ist nicht installiert; unter Debian: sudo apt-get install redis-server</translation>
    </message>
    <message>
        <source>%1: the name is too long for a socket</source>
        <translation>%1: Der Name ist zu lang für einen Socket</translation>
    </message>
    <message>
        <source>redis-server was starting</source>
        <translation>Start von redis-server</translation>
    </message>
    <message>
        <source>the demo&apos;s redis-server crashed or was killed</source>
        <translation>der redis-server der Demo ist abgestürzt oder wurde beendet</translation>
    </message>
    <message>
        <source>the demo&apos;s redis-server exited with code %1</source>
        <translation>der redis-server der Demo hat sich mit Code %1 beendet</translation>
    </message>
</context>
<context>
    <name>lk::Deployment</name>
    <message>
        <source>Configuration not applied: %1</source>
        <translation>Konfiguration nicht angewendet: %1</translation>
    </message>
    <message>
        <source>Alerts not recorded: %1</source>
        <translation>Alarme werden nicht aufgezeichnet: %1</translation>
    </message>
    <message>
        <source>Some of the recording could not be read: %1</source>
        <translation>Ein Teil der Aufzeichnung konnte nicht gelesen werden: %1</translation>
    </message>
</context>
<context>
    <name>lk::DeploymentMenu</name>
    <message>
        <source>&amp;Deployments</source>
        <translation>&amp;Deployments</translation>
    </message>
    <message>
        <source>&amp;Overview of all deployments</source>
        <translation>Ü&amp;bersicht über alle Deployments</translation>
    </message>
    <message>
        <source>&amp;Close this deployment</source>
        <translation>Dieses Deployment &amp;schließen</translation>
    </message>
    <message>
        <source>Deployments</source>
        <translation>Deployments</translation>
    </message>
    <message>
        <source>Switch to a deployment</source>
        <translation>Zu einem Deployment wechseln</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 bis %2</translation>
    </message>
    <message>
        <source>Overview of all deployments</source>
        <translation>Übersicht über alle Deployments</translation>
    </message>
    <message>
        <source>Close this deployment</source>
        <translation>Dieses Deployment schließen</translation>
    </message>
</context>
<context>
    <name>lk::DeploymentModel</name>
    <message>
        <source>write mode</source>
        <translation>Schreibmodus</translation>
    </message>
    <message>
        <source>read-only</source>
        <translation>nur Lesen</translation>
    </message>
    <message>
        <source>Deployment</source>
        <translation>Deployment</translation>
    </message>
    <message>
        <source>Connection</source>
        <translation>Verbindung</translation>
    </message>
    <message>
        <source>Alerts</source>
        <translation>Alarme</translation>
    </message>
    <message>
        <source>Access</source>
        <translation>Zugriff</translation>
    </message>
    <message>
        <source>Highest severity</source>
        <translation>Höchster Schweregrad</translation>
    </message>
</context>
<context>
    <name>lk::DeploymentStatus</name>
    <message numerus="yes">
        <source>%n error(s)</source>
        <translation>
            <numerusform>%n Fehler</numerusform>
            <numerusform>%n Fehler</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n warning(s)</source>
        <translation>
            <numerusform>%n Warnung</numerusform>
            <numerusform>%n Warnungen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n info</source>
        <translation>
            <numerusform>%n Info</numerusform>
            <numerusform>%n Infos</numerusform>
        </translation>
    </message>
    <message>
        <source>paused</source>
        <translation>pausiert</translation>
    </message>
    <message>
        <source>connected</source>
        <translation>verbunden</translation>
    </message>
    <message>
        <source>login needed</source>
        <translation>Anmeldung nötig</translation>
    </message>
    <message>
        <source>lost</source>
        <translation>abgebrochen</translation>
    </message>
    <message>
        <source>connecting</source>
        <translation>Verbindungsaufbau</translation>
    </message>
    <message>
        <source>not scanned</source>
        <translation>nicht gescannt</translation>
    </message>
    <message>
        <source>no findings</source>
        <translation>keine Befunde</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message numerus="yes">
        <source>%n open</source>
        <translation>
            <numerusform>%n offen</numerusform>
            <numerusform>%n offen</numerusform>
        </translation>
    </message>
    <message>
        <source>write mode</source>
        <translation>Schreibmodus</translation>
    </message>
    <message>
        <source>not all keys read</source>
        <translation>nicht alle Schlüssel gelesen</translation>
    </message>
    <message>
        <source>%1 % of the keys read</source>
        <translation>%1 % der Schlüssel gelesen</translation>
    </message>
    <message>
        <source>scanning</source>
        <translation>Scan läuft</translation>
    </message>
</context>
<context>
    <name>lk::DeploymentSwitcher</name>
    <message>
        <source>Deployments</source>
        <translation>Deployments</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>Overview of all deployments</source>
        <translation>Übersicht über alle Deployments</translation>
    </message>
    <message>
        <source>Overview of all deployments (Ctrl+Shift+0)</source>
        <translation>Übersicht über alle Deployments (Ctrl+Shift+0)</translation>
    </message>
    <message>
        <source>List all deployments</source>
        <translation>Alle Deployments auflisten</translation>
    </message>
    <message numerus="yes">
        <source>%n deployment(s)</source>
        <translation>
            <numerusform>%n Deployment</numerusform>
            <numerusform>%n Deployments</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lk::DeploymentsPage</name>
    <message>
        <source>Filter by deployment, name or message</source>
        <translation>Nach Deployment, Name oder Meldung filtern</translation>
    </message>
    <message>
        <source>Filter the findings of all deployments</source>
        <translation>Befunde aller Deployments filtern</translation>
    </message>
    <message>
        <source>Findings of all deployments</source>
        <translation>Befunde aller Deployments</translation>
    </message>
    <message>
        <source>Deployments</source>
        <translation>Deployments</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
</context>
<context>
    <name>lk::DesktopNotifier</name>
    <message>
        <source>Show</source>
        <translation>Anzeigen</translation>
    </message>
    <message>
        <source>no desktop notifications: %1</source>
        <translation>keine Desktop-Benachrichtigungen: %1</translation>
    </message>
    <message>
        <source>no desktop notifications: this program was built without D-Bus</source>
        <translation>keine Desktop-Benachrichtigungen: dieses Programm wurde ohne D-Bus gebaut</translation>
    </message>
</context>
<context>
    <name>lk::DetailPane</name>
    <message>
        <source>%1, declared in the configuration</source>
        <translation>%1, in der Konfiguration deklariert</translation>
    </message>
    <message>
        <source>; could be a %1</source>
        <translation>; möglich auch: %1</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Declare limit and window…</source>
        <translation>Limit und Fenster deklarieren…</translation>
    </message>
    <message>
        <source>Writes what Redis does not store to the configuration file</source>
        <translation>Schreibt in die Konfigurationsdatei, was Redis nicht speichert</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>Details</translation>
    </message>
    <message>
        <source>Nothing selected</source>
        <translation>Nichts ausgewählt</translation>
    </message>
    <message>
        <source>Select a row to see its values and how they change over time.</source>
        <translation>Wählen Sie eine Zeile aus, um ihre Werte und deren Verlauf zu sehen.</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>What happened…</source>
        <translation>Was geschehen ist…</translation>
    </message>
    <message>
        <source>Its recorded history: who held it, when it was stuck or full, what was done (Ctrl+H)</source>
        <translation>Der aufgezeichnete Verlauf: wer es gehalten hat, wann es hing oder voll war, was getan wurde (Ctrl+H)</translation>
    </message>
</context>
<context>
    <name>lk::Duration</name>
    <message>
        <source>&quot;%1&quot; is out of range; a duration must be above zero</source>
        <translation>&quot;%1&quot; ist außerhalb des Bereichs; eine Dauer muss über null liegen</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a duration; use a form such as 250ms, 1s, 10m, 24h or 7d</source>
        <translation>&quot;%1&quot; ist keine Dauer; verwenden Sie eine Form wie 250ms, 1s, 10m, 24h oder 7d</translation>
    </message>
    <message>
        <source>ms</source>
        <comment>milliseconds</comment>
        <translation>ms</translation>
    </message>
    <message>
        <source>s</source>
        <comment>seconds</comment>
        <translation>s</translation>
    </message>
    <message>
        <source>m</source>
        <comment>minutes</comment>
        <translation>m</translation>
    </message>
    <message>
        <source>h</source>
        <comment>hours</comment>
        <translation>h</translation>
    </message>
    <message>
        <source>d</source>
        <comment>days</comment>
        <translation>d</translation>
    </message>
    <message>
        <source>%1 UTC</source>
        <translation>%1 UTC</translation>
    </message>
    <message>
        <source>%1 %2 (%3 UTC)</source>
        <translation>%1 %2 (%3 UTC)</translation>
    </message>
    <message>
        <source>now</source>
        <comment>due</comment>
        <translation>jetzt</translation>
    </message>
    <message>
        <source>overdue %1</source>
        <translation>überfällig %1</translation>
    </message>
</context>
<context>
    <name>lk::EmptyState</name>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
</context>
<context>
    <name>lk::EnvironmentBadge</name>
    <message>
        <source>No environment</source>
        <translation>Keine Umgebung</translation>
    </message>
    <message>
        <source>Environment: %1</source>
        <translation>Umgebung: %1</translation>
    </message>
</context>
<context>
    <name>lk::Error</name>
    <message>
        <source>The server rejects writes: it cannot write its append-only file (%1)</source>
        <translation>Der Server lehnt Schreibzugriffe ab: Er kann seine Append-only-Datei nicht schreiben (%1)</translation>
    </message>
    <message>
        <source>The server rejects writes: its last snapshot failed; see its log</source>
        <translation>Der Server lehnt Schreibzugriffe ab: Sein letzter Snapshot ist fehlgeschlagen; siehe sein Log</translation>
    </message>
    <message>
        <source>The key</source>
        <translation>Der Key</translation>
    </message>
    <message>
        <source>%1 is on another node, or belongs there: its slot %2 is being migrated to %3 (ASK)</source>
        <translation>%1 liegt auf einem anderen Knoten oder gehört dorthin: Slot %2 wird gerade nach %3 migriert (ASK)</translation>
    </message>
    <message>
        <source>%1 is on another node of the cluster, %3 (MOVED, slot %2)</source>
        <translation>%1 liegt auf einem anderen Knoten des Clusters, %3 (MOVED, Slot %2)</translation>
    </message>
    <message>
        <source>The slot is being migrated and its keys are split between two nodes (TRYAGAIN)</source>
        <translation>Der Slot wird gerade migriert, und seine Keys sind auf zwei Knoten verteilt (TRYAGAIN)</translation>
    </message>
    <message>
        <source>The keys are in different slots of the cluster (CROSSSLOT)</source>
        <translation>Die Keys liegen in verschiedenen Slots des Clusters (CROSSSLOT)</translation>
    </message>
    <message>
        <source>The key is on another node of the cluster: %1</source>
        <translation>Der Key liegt auf einem anderen Knoten des Clusters: %1</translation>
    </message>
    <message>
        <source>Wait until the slot has been migrated, then connect to that node.</source>
        <translation>Warten Sie, bis der Slot migriert ist, und verbinden Sie sich dann mit diesem Knoten.</translation>
    </message>
    <message>
        <source>Only this node&apos;s keys are shown; connect to the other node for the rest.</source>
        <translation>Nur die Keys dieses Knotens werden angezeigt; für den Rest verbinden Sie sich mit dem anderen Knoten.</translation>
    </message>
    <message>
        <source>Actions are scripts: they need a user with +eval +evalsha and the commands listed in the plan.</source>
        <translation>Aktionen sind Skripte: Sie brauchen einen Benutzer mit +eval +evalsha und den Befehlen aus dem Plan.</translation>
    </message>
    <message>
        <source>Grant this user the database: ACL SETUSER NAME db=%1</source>
        <translation>Geben Sie diesem Benutzer die Datenbank: ACL SETUSER NAME db=%1</translation>
    </message>
    <message>
        <source>Use a user whose key patterns (~PATTERN) cover this key.</source>
        <translation>Verwenden Sie einen Benutzer, dessen Key-Muster (~PATTERN) diesen Key abdecken.</translation>
    </message>
    <message>
        <source>Reading needs a user with +@read +scan +info +time +client ~*</source>
        <translation>Zum Lesen ist ein Benutzer nötig mit +@read +scan +info +time +client ~*</translation>
    </message>
    <message>
        <source>Invalid address: %1</source>
        <translation>Ungültige Adresse: %1</translation>
    </message>
    <message>
        <source>This session is read-only</source>
        <translation>Diese Sitzung liest nur</translation>
    </message>
    <message>
        <source>Host not found: %1</source>
        <translation>Host nicht gefunden: %1</translation>
    </message>
    <message>
        <source>No server listens on the socket %1</source>
        <translation>Am Socket %1 antwortet kein Server</translation>
    </message>
    <message>
        <source>Connection refused by %1</source>
        <translation>Verbindung von %1 abgelehnt</translation>
    </message>
    <message>
        <source>Timed out while %1</source>
        <translation>Zeitüberschreitung: %1</translation>
    </message>
    <message>
        <source>TLS certificate not trusted: %1</source>
        <translation>TLS-Zertifikat nicht vertrauenswürdig: %1</translation>
    </message>
    <message>
        <source>This Qt installation has no TLS</source>
        <translation>Diese Qt-Installation hat kein TLS</translation>
    </message>
    <message>
        <source>%1 expects TLS</source>
        <translation>%1 erwartet TLS</translation>
    </message>
    <message>
        <source>%1 does not speak TLS</source>
        <translation>%1 spricht kein TLS</translation>
    </message>
    <message>
        <source>The server requires a client certificate that it trusts (%1)</source>
        <translation>Der Server verlangt ein Client-Zertifikat, dem er vertraut (%1)</translation>
    </message>
    <message>
        <source>The server closed the connection</source>
        <translation>Der Server hat die Verbindung geschlossen</translation>
    </message>
    <message>
        <source>%1 closed the connection without an answer</source>
        <translation>%1 hat die Verbindung ohne Antwort geschlossen</translation>
    </message>
    <message>
        <source>Connection failed: %1</source>
        <translation>Verbindung fehlgeschlagen: %1</translation>
    </message>
    <message>
        <source>Not a Redis server (%1)</source>
        <translation>Kein Redis-Server (%1)</translation>
    </message>
    <message>
        <source>A reply was too large (%1)</source>
        <translation>Eine Antwort war zu groß (%1)</translation>
    </message>
    <message>
        <source>The server requires a password</source>
        <translation>Der Server verlangt ein Passwort</translation>
    </message>
    <message>
        <source>A password was given, and the server&apos;s default user has none</source>
        <translation>Ein Passwort wurde angegeben, und der Standardbenutzer des Servers hat keines</translation>
    </message>
    <message>
        <source>Wrong user name or password</source>
        <translation>Benutzername oder Passwort falsch</translation>
    </message>
    <message>
        <source>Permission denied: %1</source>
        <translation>Keine Berechtigung: %1</translation>
    </message>
    <message>
        <source>The server is still loading its data from disk</source>
        <translation>Der Server lädt seine Daten noch von der Platte</translation>
    </message>
    <message>
        <source>The server is still loading its data from disk (%1)</source>
        <translation>Der Server lädt seine Daten noch von der Platte (%1)</translation>
    </message>
    <message>
        <source>The server is busy running a script</source>
        <translation>Der Server führt gerade ein Skript aus</translation>
    </message>
    <message>
        <source>This replica has lost its master and does not serve stale data</source>
        <translation>Dieses Replikat hat seinen Master verloren und liefert keine veralteten Daten</translation>
    </message>
    <message>
        <source>This replica has lost its master %1 and does not serve stale data</source>
        <translation>Dieses Replikat hat seinen Master %1 verloren und liefert keine veralteten Daten</translation>
    </message>
    <message>
        <source>The server accepts no more clients (maxclients reached)</source>
        <translation>Der Server nimmt keine weiteren Clients an (maxclients erreicht)</translation>
    </message>
    <message>
        <source>This server is a read-only replica</source>
        <translation>Dieser Server ist ein Replikat, das nur gelesen werden kann</translation>
    </message>
    <message>
        <source>This server is a replica: run actions on its master</source>
        <translation>Dieser Server ist ein Replikat: Führen Sie Aktionen auf seinem Master aus</translation>
    </message>
    <message>
        <source>This server is a replica of %1: run actions there</source>
        <translation>Dieser Server ist ein Replikat von %1: Führen Sie Aktionen dort aus</translation>
    </message>
    <message>
        <source>This server is a replica in a cluster, and its master is unknown</source>
        <translation>Dieser Server ist ein Replikat in einem Cluster, und sein Master ist unbekannt</translation>
    </message>
    <message>
        <source>This server is a replica in a cluster; its master is %1</source>
        <translation>Dieser Server ist ein Replikat in einem Cluster; sein Master ist %1</translation>
    </message>
    <message>
        <source>The cluster is down</source>
        <translation>Der Cluster ist nicht verfügbar (down)</translation>
    </message>
    <message>
        <source>The key has an unexpected type: %1</source>
        <translation>Der Key hat einen unerwarteten Typ: %1</translation>
    </message>
    <message>
        <source>The server no longer has the script</source>
        <translation>Der Server hat das Skript nicht mehr</translation>
    </message>
    <message>
        <source>The server is out of memory</source>
        <translation>Der Server hat keinen freien Speicher mehr</translation>
    </message>
    <message>
        <source>Server error: %1</source>
        <translation>Serverfehler: %1</translation>
    </message>
    <message>
        <source>The data does not fit this layout: %1</source>
        <translation>Die Daten passen nicht zu diesem Layout: %1</translation>
    </message>
    <message>
        <source>Cancelled</source>
        <translation>Abgebrochen</translation>
    </message>
    <message>
        <source>Use redis://user:password@host:6379/0, rediss://… or unix:///path/to/redis.sock.</source>
        <translation>Verwenden Sie redis://user:password@host:6379/0, rediss://… oder unix:///path/to/redis.sock.</translation>
    </message>
    <message>
        <source>Check the spelling and that this machine is on the right network.</source>
        <translation>Prüfen Sie die Schreibweise und ob dieser Rechner im richtigen Netz ist.</translation>
    </message>
    <message>
        <source>Check that the server is running and that its unixsocket setting has this path.</source>
        <translation>Prüfen Sie, ob der Server läuft und ob seine Einstellung unixsocket diesen Pfad hat.</translation>
    </message>
    <message>
        <source>Check that the server is running and that host and port are right.</source>
        <translation>Prüfen Sie, ob der Server läuft und ob Host und Port stimmen.</translation>
    </message>
    <message>
        <source>The server or the network is slow, or a firewall drops the packets.</source>
        <translation>Der Server oder das Netz ist langsam, oder eine Firewall verwirft die Pakete.</translation>
    </message>
    <message>
        <source>Pass the authority that signed it with ?ca=FILE, or check the host name.</source>
        <translation>Geben Sie die Stelle, die es signiert hat, mit ?ca=FILE an oder prüfen Sie den Hostnamen.</translation>
    </message>
    <message>
        <source>Use rediss:// instead of redis://.</source>
        <translation>Verwenden Sie rediss:// statt redis://.</translation>
    </message>
    <message>
        <source>If the port is plain text, use redis:// instead of rediss://.</source>
        <translation>Falls der Port unverschlüsselt ist, verwenden Sie redis:// statt rediss://.</translation>
    </message>
    <message>
        <source>Pass one with ?cert=FILE&amp;key=FILE, signed by an authority that the server trusts.</source>
        <translation>Geben Sie eines mit ?cert=FILE&amp;key=FILE an, signiert von einer Stelle, der der Server vertraut.</translation>
    </message>
    <message>
        <source>If the port is TLS, use rediss:// instead of redis://.</source>
        <translation>Falls der Port TLS spricht, verwenden Sie rediss:// statt redis://.</translation>
    </message>
    <message>
        <source>Free disk space on the server; reading continues meanwhile.</source>
        <translation>Schaffen Sie auf dem Server Plattenplatz; gelesen wird inzwischen weiter.</translation>
    </message>
    <message>
        <source>Close other clients or raise maxclients.</source>
        <translation>Schließen Sie andere Clients oder erhöhen Sie maxclients.</translation>
    </message>
    <message>
        <source>Check the port: another service may be listening there, or TLS is required (rediss://).</source>
        <translation>Prüfen Sie den Port: Vielleicht lauscht dort ein anderer Dienst, oder TLS ist nötig (rediss://).</translation>
    </message>
    <message>
        <source>Connect without a password, or name another user.</source>
        <translation>Verbinden Sie sich ohne Passwort, oder nennen Sie einen anderen Benutzer.</translation>
    </message>
    <message>
        <source>Enter the user name and password for this server.</source>
        <translation>Geben Sie Benutzername und Passwort für diesen Server ein.</translation>
    </message>
    <message>
        <source>Retrying automatically.</source>
        <translation>Neuer Versuch erfolgt automatisch.</translation>
    </message>
    <message>
        <source>Connect to the master to run actions.</source>
        <translation>Verbinden Sie sich mit dem Master, um Aktionen auszuführen.</translation>
    </message>
    <message>
        <source>Turn on write mode first; it turns off automatically.</source>
        <translation>Schalten Sie zuerst den Schreibmodus ein; er schaltet sich automatisch wieder aus.</translation>
    </message>
    <message>
        <source>Connect to the master: a cluster&apos;s replica redirects all reads there.</source>
        <translation>Verbinden Sie sich mit dem Master: Das Replikat eines Clusters leitet alle Lesezugriffe dorthin um.</translation>
    </message>
    <message>
        <source>Cluster node %1 does not answer</source>
        <translation>Clusterknoten %1 antwortet nicht</translation>
    </message>
    <message>
        <source>The Sentinels require a password of their own (%1)</source>
        <translation>Die Sentinels verlangen ein eigenes Passwort (%1)</translation>
    </message>
    <message>
        <source>The Sentinels refuse this user name or password (%1)</source>
        <translation>Die Sentinels lehnen diesen Benutzernamen oder dieses Passwort ab (%1)</translation>
    </message>
    <message>
        <source>It is not the servers&apos; password: pass it with ?sentinel_user=NAME&amp;sentinel_password=TEXT, or enter the Sentinels&apos; user and password when you connect.</source>
        <translation>Es ist nicht das Passwort der Server: Mit ?sentinel_user=NAME&amp;sentinel_password=TEXT angeben, oder beim Verbinden Benutzer und Passwort der Sentinels eingeben.</translation>
    </message>
    <message>
        <source>The cluster is down: %1</source>
        <translation>Der Cluster ist ausgefallen: %1</translation>
    </message>
</context>
<context>
    <name>lk::ExpiryHistogram</name>
    <message numerus="yes">
        <source>%Ln in %1 to %2</source>
        <translation>
            <numerusform>%Ln in %1 bis %2</numerusform>
            <numerusform>%Ln in %1 bis %2</numerusform>
        </translation>
    </message>
    <message>
        <source>later</source>
        <translation>später</translation>
    </message>
    <message numerus="yes">
        <source>%Ln later</source>
        <translation>
            <numerusform>%Ln später</numerusform>
            <numerusform>%Ln später</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln without TTL</source>
        <translation>
            <numerusform>%Ln ohne TTL</numerusform>
            <numerusform>%Ln ohne TTL</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing expires</source>
        <translation>Nichts läuft ab</translation>
    </message>
    <message>
        <source>Nothing expires in this time span</source>
        <translation>In dieser Zeitspanne läuft nichts ab</translation>
    </message>
    <message>
        <source>now</source>
        <translation>jetzt</translation>
    </message>
    <message>
        <source>%1 (Return: %2)</source>
        <translation>%1 (Return: %2)</translation>
    </message>
    <message>
        <source>then</source>
        <translation>damals</translation>
    </message>
</context>
<context>
    <name>lk::ExportButton</name>
    <message>
        <source>Export</source>
        <translation>Exportieren</translation>
    </message>
</context>
<context>
    <name>lk::FailureList</name>
    <message>
        <source>Jobs</source>
        <translation>Jobs</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Last seen</source>
        <translation>Zuletzt gesehen</translation>
    </message>
    <message>
        <source>Failures</source>
        <translation>Fehlschläge</translation>
    </message>
    <message>
        <source>Return shows the jobs with that error</source>
        <translation>Return zeigt die Jobs mit diesem Fehler</translation>
    </message>
    <message>
        <source>Retry these jobs…</source>
        <translation>Diese Jobs erneut versuchen…</translation>
    </message>
    <message>
        <source>Not available: %1</source>
        <translation>Nicht verfügbar: %1</translation>
    </message>
    <message>
        <source>Requeues the failed jobs of this group</source>
        <translation>Reiht die fehlgeschlagenen Jobs dieser Gruppe erneut ein</translation>
    </message>
    <message>
        <source>Select a group first</source>
        <translation>Zuerst eine Gruppe auswählen</translation>
    </message>
    <message>
        <source>Of all %1 failed jobs</source>
        <translation>Aus allen %1 fehlgeschlagenen Jobs</translation>
    </message>
    <message>
        <source>no error stored</source>
        <translation>kein Fehler gespeichert</translation>
    </message>
    <message>
        <source>%1 ago</source>
        <translation>vor %1</translation>
    </message>
    <message>
        <source>Of the newest %1 of %2 failed jobs</source>
        <translation>Von den neuesten %1 von %2 fehlgeschlagenen Jobs</translation>
    </message>
    <message>
        <source>%1 more since</source>
        <translation>%1 weitere seitdem</translation>
    </message>
    <message>
        <source>%1 rarer groups left out</source>
        <translation>%1 seltenere Gruppen ausgelassen</translation>
    </message>
    <message>
        <source>counting, %1 so far…</source>
        <translation>es wird gezählt, bisher %1 …</translation>
    </message>
</context>
<context>
    <name>lk::FileField</name>
    <message>
        <source>Choose…</source>
        <translation>Auswählen…</translation>
    </message>
    <message>
        <source>Choose: %1</source>
        <translation>Auswählen: %1</translation>
    </message>
</context>
<context>
    <name>lk::FillBar</name>
    <message>
        <source>≤ %1</source>
        <comment>at most</comment>
        <translation>≤ %1</translation>
    </message>
</context>
<context>
    <name>lk::FilterBar</name>
    <message>
        <source>Shows rows whose name, key or owner contains this text;
by TTL: ttl&lt;1m, ttl&gt;=10s, ttl=none</source>
        <translation>Zeigt Zeilen, deren Name, Key oder Besitzer diesen Text enthält;
nach TTL: ttl&lt;1m, ttl&gt;=10s, ttl=none</translation>
    </message>
    <message>
        <source>Show only</source>
        <translation>Nur anzeigen</translation>
    </message>
    <message>
        <source>With * or ? it must match as a whole: code:*
Ctrl+F focuses it, Escape clears it</source>
        <translation>Mit * oder ? muss das Ganze passen: code:*
Ctrl+F setzt den Fokus hierher, Escape leert das Feld</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>Alle anzeigen</translation>
    </message>
    <message>
        <source>Show only: %1</source>
        <translation>Nur anzeigen: %1</translation>
    </message>
</context>
<context>
    <name>lk::Finding</name>
    <message>
        <source>error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>Warnung</translation>
    </message>
    <message>
        <source>info</source>
        <translation>Info</translation>
    </message>
    <message>
        <source>Uses %1 of memory.</source>
        <translation>Belegt %1 Speicher.</translation>
    </message>
    <message>
        <source>Every command of the programs that use it fails, or two programs use the same name for different things.</source>
        <translation>Jeder Befehl der Programme, die ihn benutzen, schlägt fehl, oder zwei Programme verwenden denselben Namen für Verschiedenes.</translation>
    </message>
    <message>
        <source>Find out who writes the key; correct the declaration or the name.</source>
        <translation>Herausfinden, wer den Key schreibt; Deklaration oder Namen korrigieren.</translation>
    </message>
    <message>
        <source>Its data does not fit its layout: a newer library, another program, or a corrupt value.</source>
        <translation>Die Daten passen nicht zum Layout: eine neuere Bibliothek, ein anderes Programm oder ein beschädigter Wert.</translation>
    </message>
    <message>
        <source>Check what writes it; actions are off until it can be decoded.</source>
        <translation>Prüfen, was ihn schreibt; Aktionen sind aus, bis er sich dekodieren lässt.</translation>
    </message>
    <message>
        <source>Deleting, copying or reading all of it blocks the server for every client.</source>
        <translation>Alles davon zu löschen, zu kopieren oder zu lesen blockiert den Server für jeden Client.</translation>
    </message>
    <message>
        <source>Limit its size where it is written (LTRIM, shorter windows, smaller payloads); delete it with UNLINK.</source>
        <translation>Beim Schreiben begrenzen (LTRIM, kürzere Fenster, kleinere Payloads); mit UNLINK löschen.</translation>
    </message>
    <message>
        <source>%1 is in slot %2, %3 in slot %4.</source>
        <translation>%1 liegt in Slot %2, %3 in Slot %4.</translation>
    </message>
    <message>
        <source>On a cluster one script cannot use both: it fails with CROSSSLOT.</source>
        <translation>Im Cluster kann ein Skript nicht beide benutzen: Es scheitert mit CROSSSLOT.</translation>
    </message>
    <message>
        <source>Give keys that belong together the same {hash tag}.</source>
        <translation>Keys, die zusammengehören, dasselbe {hash tag} geben.</translation>
    </message>
    <message>
        <source>The counter has no TTL: it never resets.</source>
        <translation>Der Zähler hat keine TTL: Er wird nie zurückgesetzt.</translation>
    </message>
    <message>
        <source>Rejected calls extended the block %1 times while this was observed; %2 rejected so far.</source>
        <translation>Abgewiesene Aufrufe haben die Sperre während der Beobachtung %1-mal verlängert; bisher %2 abgewiesen.</translation>
    </message>
    <message>
        <source>Members are plain timestamps in seconds, so at most %1 fit in the window; the limit is %2.</source>
        <translation>Die Elemente sind reine Zeitstempel in Sekunden, also passen höchstens %1 ins Fenster; das Limit ist %2.</translation>
    </message>
    <message>
        <source>Rejected clients are told to wait %1; at most %2 is expected.</source>
        <translation>Abgewiesene Clients sollen %1 warten; höchstens %2 sind zu erwarten.</translation>
    </message>
    <message>
        <source>The newest request is %1 ahead of the server&apos;s clock.</source>
        <translation>Die neueste Anfrage ist der Uhr des Servers um %1 voraus.</translation>
    </message>
    <message>
        <source>The window&apos;s key has no TTL, and its newest request is %1 old.</source>
        <translation>Der Key des Fensters hat keine TTL, und seine neueste Anfrage ist %1 alt.</translation>
    </message>
    <message>
        <source>%1 of %2 are used.</source>
        <translation>%1 von %2 sind belegt.</translation>
    </message>
    <message>
        <source>One consumer used %1 of %2.</source>
        <translation>Ein Consumer hat %1 von %2 belegt.</translation>
    </message>
    <message>
        <source>Available and used permits add up to %1 more than the rate of %2.</source>
        <translation>Verfügbare und belegte Permits ergeben zusammen %1 mehr als die Rate von %2.</translation>
    </message>
    <message>
        <source>None of the %1 permits is available and none is used: no acquire can ever succeed.</source>
        <translation>Keines der %1 Permits ist verfügbar und keines belegt: Kein Acquire kann je gelingen.</translation>
    </message>
    <message>
        <source>Of %1 permits, %2 are neither available nor used.</source>
        <translation>Von %1 Permits sind %2 weder verfügbar noch belegt.</translation>
    </message>
    <message>
        <source>At the limit in all %1 samples for %2, longer than the window of %3.</source>
        <translation>Am Limit in allen %1 Messungen seit %2, länger als das Fenster von %3.</translation>
    </message>
    <message>
        <source>Once it is full, it rejects everything permanently.</source>
        <translation>Sobald er voll ist, weist er alles ab, für immer.</translation>
    </message>
    <message>
        <source>Restore its TTL; set it in the script that counts, not with a second command that may never be sent.</source>
        <translation>TTL wiederherstellen; im zählenden Skript setzen, nicht mit einem zweiten Befehl, der vielleicht nie gesendet wird.</translation>
    </message>
    <message>
        <source>A client that keeps retrying keeps the gate closed.</source>
        <translation>Ein Client, der es immer wieder versucht, hält das Gate geschlossen.</translation>
    </message>
    <message>
        <source>Set the TTL only when a call passes; until then, open the gate by hand.</source>
        <translation>Die TTL nur setzen, wenn ein Aufruf durchkommt; bis dahin das Gate von Hand öffnen.</translation>
    </message>
    <message>
        <source>Requests at the same time become one member, so more than the limit pass.</source>
        <translation>Gleichzeitige Anfragen werden zu einem Element, also kommen mehr durch, als das Limit erlaubt.</translation>
    </message>
    <message>
        <source>Make members unique: append a sequence number or random text to the timestamp.</source>
        <translation>Elemente eindeutig machen: eine laufende Nummer oder zufälligen Text an den Zeitstempel hängen.</translation>
    </message>
    <message>
        <source>Each rejection makes the next client wait longer, and clients still wait long after the load is gone.</source>
        <translation>Jede Abweisung lässt den nächsten Client länger warten, und Clients warten noch lange, nachdem die Last weg ist.</translation>
    </message>
    <message>
        <source>Cap the horizon now, and in the script: reserve nothing beyond the cap.</source>
        <translation>Den Horizont jetzt begrenzen und auch im Skript: nichts jenseits der Grenze reservieren.</translation>
    </message>
    <message>
        <source>Clients write their own time: one with a fast clock pushes other clients&apos; requests out of the window, and its own stay too long.</source>
        <translation>Clients schreiben ihre eigene Zeit: Einer mit vorgehender Uhr drängt Anfragen anderer Clients aus dem Fenster, und seine eigenen bleiben zu lange.</translation>
    </message>
    <message>
        <source>Use the server&apos;s TIME in the script, and fix that client&apos;s clock.</source>
        <translation>Im Skript TIME des Servers verwenden und die Uhr dieses Clients richten.</translation>
    </message>
    <message>
        <source>Every client leaves a key behind that nothing removes.</source>
        <translation>Jeder Client hinterlässt einen Key, den nichts entfernt.</translation>
    </message>
    <message>
        <source>Set its TTL to the window, with PEXPIRE in the script.</source>
        <translation>Die TTL auf das Fenster setzen, mit PEXPIRE im Skript.</translation>
    </message>
    <message>
        <source>The limit was lowered, or two programs use different limits.</source>
        <translation>Das Limit wurde gesenkt, oder zwei Programme verwenden verschiedene Limits.</translation>
    </message>
    <message>
        <source>Compare the limits in the programs and the configuration file; the excess leaves with the window.</source>
        <translation>Limits in den Programmen und in der Konfigurationsdatei vergleichen; der Überschuss verschwindet mit dem Fenster.</translation>
    </message>
    <message>
        <source>Permits return only when they leave the log: missing ones never come back, and surplus ones pass at once.</source>
        <translation>Permits kehren nur zurück, wenn sie das Log verlassen: Fehlende kommen nie zurück, überzählige kommen sofort durch.</translation>
    </message>
    <message>
        <source>Repair the value; always delete a limiter&apos;s keys together.</source>
        <translation>Den Wert reparieren; die Keys eines Limiters immer zusammen löschen.</translation>
    </message>
    <message>
        <source>Check which clients call; raise the limit if what it protects can take more.</source>
        <translation>Prüfen, welche Clients aufrufen; das Limit anheben, wenn das Geschützte mehr verträgt.</translation>
    </message>
    <message>
        <source>Members are plain timestamps in seconds: requests in the same second count as one.</source>
        <translation>Die Elemente sind reine Zeitstempel in Sekunden: Anfragen in derselben Sekunde zählen als eine.</translation>
    </message>
    <message>
        <source>Members are plain timestamps in milliseconds: requests in the same millisecond count as one.</source>
        <translation>Die Elemente sind reine Zeitstempel in Millisekunden: Anfragen in derselben Millisekunde zählen als eine.</translation>
    </message>
    <message>
        <source>This also affects %1.</source>
        <translation>Das betrifft auch %1.</translation>
    </message>
    <message>
        <source>The lock has no TTL: it never expires.</source>
        <translation>Das Lock hat keine TTL: Es läuft nie ab.</translation>
    </message>
    <message>
        <source>The lock has expired and its key still exists.</source>
        <translation>Das Lock ist abgelaufen, und sein Key existiert noch.</translation>
    </message>
    <message>
        <source>The owner renewed the lock %1 times and stopped: TTL %2 of %3.</source>
        <translation>Der Besitzer hat das Lock %1-mal verlängert und dann aufgehört: TTL %2 von %3.</translation>
    </message>
    <message>
        <source>Its expiry is %1 ahead of the server&apos;s clock.</source>
        <translation>Der Ablauf liegt, nach der Uhr des Servers, %1 in der Zukunft.</translation>
    </message>
    <message>
        <source>If the owner is dead, nobody can take the lock until someone deletes it.</source>
        <translation>Wenn der Besitzer tot ist, kann niemand das Lock bekommen, bis es jemand löscht.</translation>
    </message>
    <message>
        <source>Set a TTL, or release it if the owner is dead; acquire with one command: SET key owner NX PX ttl.</source>
        <translation>Eine TTL setzen oder es freigeben, wenn der Besitzer tot ist; mit einem einzigen Befehl belegen: SET key owner NX PX ttl.</translation>
    </message>
    <message>
        <source>The owner died without releasing it; until it is taken over, clients that check differently see it as held.</source>
        <translation>Der Besitzer ist gestorben, ohne es freizugeben; bis es übernommen wird, halten Clients, die anders prüfen, es für gehalten.</translation>
    </message>
    <message>
        <source>Clear it, or let the next client take it over with GETSET. A plain DEL can remove a lock that was just acquired.</source>
        <translation>Zurücksetzen oder den nächsten Client mit GETSET übernehmen lassen. Ein einfaches DEL kann ein gerade erworbenes Lock entfernen.</translation>
    </message>
    <message>
        <source>The owner is probably dead: others wait for the rest of the TTL for nothing.</source>
        <translation>Der Besitzer ist wahrscheinlich tot: Andere warten den Rest der TTL umsonst.</translation>
    </message>
    <message>
        <source>Check whether the owner is still running; if not, release the lock.</source>
        <translation>Prüfen, ob der Besitzer noch läuft; wenn nicht, das Lock freigeben.</translation>
    </message>
    <message>
        <source>The owner&apos;s clock is wrong, or milliseconds were written instead of seconds: if the owner dies, the lock stays for all that time.</source>
        <translation>Die Uhr des Besitzers geht falsch, oder es wurden Millisekunden statt Sekunden geschrieben: Stirbt der Besitzer, bleibt das Lock all die Zeit bestehen.</translation>
    </message>
    <message>
        <source>Set its TTL, and compare the owner&apos;s clock with the server&apos;s.</source>
        <translation>Die TTL setzen und die Uhr des Besitzers mit der des Servers vergleichen.</translation>
    </message>
    <message>
        <source>Its rebuild lock has no TTL: it never expires.</source>
        <translation>Das Rebuild-Lock hat keine TTL: Es läuft nie ab.</translation>
    </message>
    <message>
        <source>The rebuild lock expired %1 times before a result was stored, and is held again.</source>
        <translation>Das Rebuild-Lock ist %1-mal abgelaufen, bevor ein Ergebnis gespeichert war, und wird wieder gehalten.</translation>
    </message>
    <message>
        <source>If the owner is dead, nobody rebuilds the list until someone deletes the lock.</source>
        <translation>Wenn der Besitzer tot ist, baut niemand die Liste neu auf, bis jemand das Lock löscht.</translation>
    </message>
    <message>
        <source>Set a TTL on the lock&apos;s key, or delete it if the owner is dead; acquire with one command: SET key owner NX PX ttl.</source>
        <translation>Dem Key des Locks eine TTL geben oder ihn löschen, wenn der Besitzer tot ist; mit einem einzigen Befehl belegen: SET key owner NX PX ttl.</translation>
    </message>
    <message>
        <source>If the previous owner is still running, two clients sort at once: each blocks the server, and the slower one overwrites the newer list. A sort with no result looks the same.</source>
        <translation>Wenn der vorige Besitzer noch läuft, sortieren zwei Clients zugleich: Jeder blockiert den Server, und der langsamere überschreibt die neuere Liste. Eine Sortierung ohne Ergebnis sieht genauso aus.</translation>
    </message>
    <message>
        <source>Use a TTL longer than the sort takes, and store the result only while still owning the lock.</source>
        <translation>Eine TTL verwenden, die länger ist als die Sortierung, und das Ergebnis nur speichern, solange man das Lock noch besitzt.</translation>
    </message>
    <message>
        <source>In progress for more than %2: %1.</source>
        <translation>Länger als %2 in Arbeit: %1.</translation>
    </message>
    <message>
        <source>There is no waiting list, and nothing changed for ten seconds; in progress: %1.</source>
        <translation>Es gibt keine Liste wartender Jobs, und seit zehn Sekunden ändert sich nichts; in Arbeit: %1.</translation>
    </message>
    <message>
        <source>Jobs with the same payload, waiting and in progress or twice in progress: %1.</source>
        <translation>Jobs mit derselben Payload, wartend und in Arbeit oder zweimal in Arbeit: %1.</translation>
    </message>
    <message>
        <source>%1 waiting; over ten seconds, %2/s came in and %3/s were taken.</source>
        <translation>%1 wartend; über zehn Sekunden kamen %2/s herein und %3/s wurden entnommen.</translation>
    </message>
    <message>
        <source>Wake-ups in the helper list: %1; events waiting: %2.</source>
        <translation>Wake-ups in der Hilfsliste: %1; wartende Events: %2.</translation>
    </message>
    <message>
        <source>%1 events are waiting, the helper list has no wake-up, and nothing changed for ten seconds.</source>
        <translation>%1 Events warten, die Hilfsliste enthält keinen Wake-up, und seit zehn Sekunden ändert sich nichts.</translation>
    </message>
    <message>
        <source>The worker that took them may be dead; no other worker processes them.</source>
        <translation>Der Worker, der sie genommen hat, ist vielleicht tot; kein anderer Worker verarbeitet sie.</translation>
    </message>
    <message>
        <source>Check whether their workers are still running; if not, requeue the jobs, or move those that make workers fail to dead letters.</source>
        <translation>Prüfen, ob ihre Worker noch laufen; wenn nicht, die Jobs erneut einreihen, oder die, an denen Worker scheitern, in Dead Letters verschieben.</translation>
    </message>
    <message>
        <source>The processing list may belong to dead workers, or to a queue with another name.</source>
        <translation>Die Processing-Liste gehört vielleicht toten Workern oder zu einer Warteschlange mit anderem Namen.</translation>
    </message>
    <message>
        <source>If the queue&apos;s lists have other names, declare them in the configuration file; otherwise requeue the jobs.</source>
        <translation>Wenn die Listen der Warteschlange anders heißen, in der Konfigurationsdatei deklarieren; sonst die Jobs erneut einreihen.</translation>
    </message>
    <message>
        <source>A job was requeued while still being processed: it runs twice, and LREM removes whichever comes first.</source>
        <translation>Ein Job wurde erneut eingereiht, während er noch verarbeitet wurde: Er läuft zweimal, und LREM entfernt den, der zuerst kommt.</translation>
    </message>
    <message>
        <source>Discard one of them; give each job a unique ID, and requeue only with a script that removes it from the processing list.</source>
        <translation>Einen davon verwerfen; jedem Job eine eindeutige ID geben und nur mit einem Skript erneut einreihen, das ihn aus der Processing-Liste entfernt.</translation>
    </message>
    <message>
        <source>Jobs wait longer and longer, and the list uses up the server&apos;s memory.</source>
        <translation>Jobs warten immer länger, und die Liste verbraucht den Speicher des Servers.</translation>
    </message>
    <message>
        <source>Start more workers, or slow down producers.</source>
        <translation>Mehr Worker starten oder die Producer bremsen.</translation>
    </message>
    <message>
        <source>Each wake-up without an event wakes a consumer for nothing, and the list grows with every duplicate event.</source>
        <translation>Jeder Wake-up ohne Event weckt einen Consumer umsonst, und die Liste wächst mit jedem doppelten Event.</translation>
    </message>
    <message>
        <source>Push a wake-up only if SADD returned 1; the helper list can be deleted while no event is waiting.</source>
        <translation>Einen Wake-up nur einfügen, wenn SADD 1 zurückgibt; die Hilfsliste kann gelöscht werden, solange kein Event wartet.</translation>
    </message>
    <message>
        <source>Consumers block on the helper list: nobody takes these events until the next one arrives.</source>
        <translation>Consumer blockieren an der Hilfsliste: Niemand holt diese Events, bis das nächste eintrifft.</translation>
    </message>
    <message>
        <source>Push a wake-up (LPUSH any value), in the same transaction or script that adds the event.</source>
        <translation>Einen Wake-up einfügen (LPUSH mit beliebigem Wert), in derselben Transaktion oder demselben Skript, das das Event hinzufügt.</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <comment>queues 3</comment>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>Unread keys may hide anything: stuck jobs, locks without TTL, limiters at their limit.</source>
        <translation>Ungelesene Keys können alles verbergen: hängende Jobs, Locks ohne TTL, Limiter am Limit.</translation>
    </message>
    <message>
        <source>Grant this user the permission (ACL SETUSER), or check the other nodes as well; check --allow-partial accepts partial results.</source>
        <translation>Diesem Benutzer die Berechtigung geben (ACL SETUSER) oder auch die anderen Knoten prüfen; check --allow-partial akzeptiert Teilergebnisse.</translation>
    </message>
    <message>
        <source>Permission %1 is missing: %2.</source>
        <translation>Die Berechtigung %1 fehlt: %2.</translation>
    </message>
    <message>
        <source>Cannot be read: %1. Permission %2 is missing.</source>
        <translation>Nicht lesbar: %1. Die Berechtigung %2 fehlt.</translation>
    </message>
    <message>
        <source>Outside this user&apos;s key patterns: %1 (keys scanned %2).</source>
        <translation>Außerhalb der Key-Muster dieses Benutzers: %1 (gescannte Keys: %2).</translation>
    </message>
    <message>
        <source>%1 of %2 keys are outside this user&apos;s key patterns.</source>
        <translation>%1 von %2 Keys liegen außerhalb der Key-Muster dieses Benutzers.</translation>
    </message>
    <message>
        <source>On other nodes of the cluster: %1.</source>
        <translation>Auf anderen Knoten des Clusters: %1.</translation>
    </message>
    <message>
        <source>This is one node of a cluster: %1.</source>
        <translation>Das ist ein einzelner Knoten eines Clusters: %1.</translation>
    </message>
    <message>
        <source>Cannot be read: %1. Their slot is being migrated to %2 (ASK).</source>
        <translation>Nicht lesbar: %1. Der Slot wird gerade nach %2 migriert (ASK).</translation>
    </message>
    <message>
        <source>Cannot be read: %1. A reply is too large.</source>
        <translation>Nicht lesbar: %1. Eine Antwort ist zu groß.</translation>
    </message>
    <message>
        <source>SCAN did not finish after %1 keys; the server reports %2.</source>
        <translation>SCAN war nach %1 Keys nicht fertig; der Server meldet %2.</translation>
    </message>
    <message>
        <source>The scan was stopped after %1 of %2 keys.</source>
        <translation>Der Scan wurde nach %1 von %2 Keys angehalten.</translation>
    </message>
    <message>
        <source>Cannot be read: %1. The server answers with errors.</source>
        <translation>Nicht lesbar: %1. Der Server antwortet mit Fehlern.</translation>
    </message>
    <message>
        <source>Cannot be read: %1. %2.</source>
        <translation>Nicht lesbar: %1. %2.</translation>
    </message>
    <message>
        <source>its master</source>
        <translation>seinem Master</translation>
    </message>
    <message>
        <source>This replica is still copying its data from %1.</source>
        <translation>Dieses Replikat kopiert seine Daten noch von %1.</translation>
    </message>
    <message>
        <source>This replica has not reached %1 since it started.</source>
        <translation>Dieses Replikat hat seit dem Start keine Verbindung zu %1.</translation>
    </message>
    <message>
        <source>This replica lost %1 %2 ago; its data is that old.</source>
        <translation>Dieses Replikat hat die Verbindung zu %1 vor %2 verloren; so alt sind seine Daten.</translation>
    </message>
    <message>
        <source>This replica lost %1; its data is stale.</source>
        <translation>Dieses Replikat hat die Verbindung zu %1 verloren; seine Daten sind veraltet.</translation>
    </message>
    <message>
        <source>The last snapshot failed; the server may reject writes (MISCONF).</source>
        <translation>Der letzte Snapshot ist fehlgeschlagen; der Server lehnt Schreibzugriffe womöglich ab (MISCONF).</translation>
    </message>
    <message>
        <source>The append-only file cannot be written; the server may reject writes (MISCONF).</source>
        <translation>Die Append-only-Datei kann nicht geschrieben werden; der Server lehnt Schreibzugriffe womöglich ab (MISCONF).</translation>
    </message>
    <message>
        <source>Locks, jobs and limits change on the master; this replica shows old values.</source>
        <translation>Locks, Jobs und Limits ändern sich auf dem Master; dieses Replikat zeigt alte Werte.</translation>
    </message>
    <message>
        <source>Connect to the master, or find out why replication has stopped.</source>
        <translation>Mit dem Master verbinden oder herausfinden, warum die Replikation steht.</translation>
    </message>
    <message>
        <source>A restart loses everything written since, and writes may fail now.</source>
        <translation>Bei einem Neustart geht alles seither Geschriebene verloren, und Schreibzugriffe schlagen jetzt womöglich fehl.</translation>
    </message>
    <message>
        <source>Free disk space on the server and read its log; it then saves automatically.</source>
        <translation>Plattenplatz auf dem Server schaffen und sein Log lesen; danach speichert er von selbst.</translation>
    </message>
    <message>
        <source>The token has no TTL: it is valid until it is used.</source>
        <translation>Das Token hat keine TTL: Es gilt, bis es verwendet wird.</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>unbekannt</translation>
    </message>
    <message>
        <source>Only a use count exists (%1): there is no token with this code.</source>
        <translation>Es gibt nur einen Verwendungszähler (%1): Ein Token mit diesem Code existiert nicht.</translation>
    </message>
    <message>
        <source>The token was presented %1 times.</source>
        <translation>Das Token wurde %1-mal vorgelegt.</translation>
    </message>
    <message>
        <source>The token expires in %1; at most %2 is declared.</source>
        <translation>Das Token läuft in %1 ab; deklariert sind höchstens %2.</translation>
    </message>
    <message>
        <source>The token expires in %1, more than %2 from now: were milliseconds used instead of seconds?</source>
        <translation>Das Token läuft in %1 ab, das ist mehr als %2: Wurden Millisekunden statt Sekunden verwendet?</translation>
    </message>
    <message>
        <source>Anyone who finds the code in an old email can still use it, and unused tokens stay forever.</source>
        <translation>Wer den Code in einer alten Mail findet, kann ihn noch verwenden, und unbenutzte Tokens bleiben für immer.</translation>
    </message>
    <message>
        <source>Set a TTL; issue with SET ... PX, or in MULTI, so that no token is left without one.</source>
        <translation>Eine TTL setzen; mit SET ... PX ausstellen, oder in MULTI, damit kein Token ohne TTL bleibt.</translation>
    </message>
    <message>
        <source>The code was used after it had expired, or was never issued: HINCRBY created the key, without a TTL, and code that checks for the first use accepts it.</source>
        <translation>Der Code wurde nach seinem Ablauf verwendet oder nie ausgestellt: HINCRBY hat den Key angelegt, ohne TTL, und Programme, die auf die erste Verwendung prüfen, akzeptieren ihn.</translation>
    </message>
    <message>
        <source>Clean it up; redeem with a script that first checks that the token exists.</source>
        <translation>Bereinigen; mit einem Skript einlösen, das zuerst prüft, ob das Token existiert.</translation>
    </message>
    <message>
        <source>A client retries, or someone else has the token.</source>
        <translation>Ein Client versucht es erneut, oder jemand anderes hat das Token.</translation>
    </message>
    <message>
        <source>Check that only the first use was accepted; revoke the token.</source>
        <translation>Prüfen, ob nur die erste Verwendung akzeptiert wurde; das Token widerrufen.</translation>
    </message>
    <message>
        <source>SETEX and EXPIRE take seconds: an hour in milliseconds is 41 days, during which a stolen token is valid.</source>
        <translation>SETEX und EXPIRE nehmen Sekunden: Eine Stunde in Millisekunden sind 41 Tage, in denen ein gestohlenes Token gilt.</translation>
    </message>
    <message>
        <source>Set its TTL; use PX or PSETEX for milliseconds.</source>
        <translation>Die TTL setzen; für Millisekunden PX oder PSETEX verwenden.</translation>
    </message>
    <message>
        <source>Codes with at most %1 characters, %2 bits or less: %3.</source>
        <translation>Codes mit höchstens %1 Zeichen, %2 Bit oder weniger: %3.</translation>
    </message>
    <message>
        <source>%1 codes are within %2 of each other.</source>
        <translation>%1 Codes liegen höchstens %2 auseinander.</translation>
    </message>
    <message>
        <source>Such codes can be guessed; only a limit on attempts prevents that.</source>
        <translation>Solche Codes lassen sich erraten; nur ein Limit für Versuche verhindert das.</translation>
    </message>
    <message>
        <source>Issue longer codes (act ... token issue does), or limit the attempts.</source>
        <translation>Längere Codes ausstellen (act ... token issue tut das) oder die Versuche begrenzen.</translation>
    </message>
    <message>
        <source>Anyone with one code can guess the next.</source>
        <translation>Wer einen Code hat, kann den nächsten erraten.</translation>
    </message>
    <message>
        <source>Make codes from random bytes (act ... token issue does).</source>
        <translation>Codes aus zufälligen Bytes bilden (act ... token issue tut das).</translation>
    </message>
    <message>
        <source>In progress without a live worker: %1.</source>
        <translation>In Arbeit ohne lebenden Worker: %1.</translation>
    </message>
    <message>
        <source>%1 waiting, and no worker is listening.</source>
        <translation>%1 wartend, und kein Worker lauscht.</translation>
    </message>
    <message>
        <source>Nobody processes these jobs until a worker is started.</source>
        <translation>Niemand verarbeitet diese Jobs, bis ein Worker gestartet wird.</translation>
    </message>
    <message>
        <source>Cluster node %1 does not answer: its keys were not read.</source>
        <translation>Clusterknoten %1 antwortet nicht: Seine Keys wurden nicht gelesen.</translation>
    </message>
    <message>
        <source>The scan was stopped after %1 of %2 keys: %3.</source>
        <translation>Der Scan wurde nach %1 von %2 Keys angehalten: %3.</translation>
    </message>
    <message>
        <source>Nothing was recorded at that time.</source>
        <translation>Zu dieser Zeit wurde nichts aufgezeichnet.</translation>
    </message>
    <message>
        <source>Nothing was recorded at that time: this is as of %1.</source>
        <translation>Zu dieser Zeit wurde nichts aufgezeichnet: Das ist der Stand von %1.</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1 writes no append-only file; masters that do: %2.</source>
        <translation>%1 schreibt keine Append-only-Datei; Master, die es tun: %2.</translation>
    </message>
    <message>
        <source>%1 saves nothing to disk; masters that save snapshots: %2.</source>
        <translation>%1 speichert nichts auf der Platte; Master, die Snapshots speichern: %2.</translation>
    </message>
    <message>
        <source>%1 evicts keys when its memory is full (%2); masters that evict less or nothing: %3.</source>
        <translation>%1 verdrängt Keys, wenn der Speicher voll ist (%2); Master, die weniger oder nichts verdrängen: %3.</translation>
    </message>
    <message>
        <source>A restart of this node loses locks, jobs and tokens in its slots that the other masters would keep.</source>
        <translation>Ein Neustart dieses Knotens verliert Locks, Jobs und Tokens in seinen Slots, die die anderen Master behielten.</translation>
    </message>
    <message>
        <source>Give all nodes the same appendonly and save settings, in their configuration files as well.</source>
        <translation>Geben Sie allen Knoten dasselbe appendonly und save, auch in ihren Konfigurationsdateien.</translation>
    </message>
    <message>
        <source>Locks, jobs and tokens in its slots may vanish while those of the other masters stay.</source>
        <translation>Locks, Jobs und Tokens in seinen Slots können verschwinden, während die der anderen Master bleiben.</translation>
    </message>
    <message>
        <source>Give all nodes the same maxmemory and maxmemory-policy; use noeviction where locks and queues are kept.</source>
        <translation>Geben Sie allen Knoten dasselbe maxmemory und dieselbe maxmemory-policy; noeviction, wo Locks und Warteschlangen liegen.</translation>
    </message>
    <message>
        <source>Demand is persistently above the limit.</source>
        <translation>Die Nachfrage liegt dauerhaft über dem Limit.</translation>
    </message>
    <message>
        <source>Start workers that listen to this queue, or find out why the previous ones stopped.</source>
        <translation>Worker starten, die auf diese Queue hören, oder herausfinden, warum die bisherigen angehalten haben.</translation>
    </message>
    <message>
        <source>keys not recognized: %1</source>
        <translation>nicht erkannte Keys: %1</translation>
    </message>
    <message>
        <source>Slots kept moving between nodes during the scan: some keys may have been missed.</source>
        <translation>Während des Scans zogen ständig Slots zwischen Knoten um: einige Keys können fehlen.</translation>
    </message>
    <message>
        <source>This replica last heard from %1 %2 ago; its data may be that old.</source>
        <translation>Dieses Replikat hat zuletzt vor %2 von %1 gehört; so alt können seine Daten sein.</translation>
    </message>
    <message>
        <source>%1: %2. When its memory is full, any key may be evicted by %3.</source>
        <translation>%1: %2. Bei vollem Speicher kann jeder Schlüssel verdrängt werden von %3.</translation>
    </message>
    <message>
        <source>A lock that is evicted is free while its owner works; jobs and tokens are lost without a trace.</source>
        <translation>Ein verdrängtes Lock ist frei, während sein Besitzer arbeitet; Jobs und Token gehen spurlos verloren.</translation>
    </message>
    <message>
        <source>Set maxmemory-policy noeviction, or keep locks, queues and tokens on another server than caches.</source>
        <translation>maxmemory-policy noeviction setzen, oder Locks, Queues und Token auf einem anderen Server als Caches halten.</translation>
    </message>
    <message>
        <source>Slots without an answer: %1 of 16,384: %2.</source>
        <translation>Slots ohne Antwort: %1 von 16.384: %2.</translation>
    </message>
    <message>
        <source>%1 uses %2 of %3 bytes of memory (maxmemory) and evicts nothing (noeviction): it refuses writes.</source>
        <translation>%1 belegt %2 von %3 Bytes Speicher (maxmemory) und verdrängt nichts (noeviction): Schreiben wird abgelehnt.</translation>
    </message>
    <message>
        <source>Keys in these slots cannot be read or written; with cluster-require-full-coverage, no key of the cluster can.</source>
        <translation>Schlüssel in diesen Slots sind weder lesbar noch schreibbar; mit cluster-require-full-coverage gilt das für alle Schlüssel des Clusters.</translation>
    </message>
    <message>
        <source>Start the node that has these slots, have a replica take over, or give the slots to another master.</source>
        <translation>Den Knoten mit diesen Slots starten, ein Replikat übernehmen lassen oder die Slots einem anderen Master geben.</translation>
    </message>
    <message>
        <source>No lock can be acquired and no job added there: clients get OOM errors.</source>
        <translation>Dort ist kein Lock zu bekommen und kein Job hinzuzufügen: Clients erhalten OOM-Fehler.</translation>
    </message>
    <message>
        <source>Raise maxmemory, or delete keys that are not needed.</source>
        <translation>maxmemory erhöhen oder nicht benötigte Schlüssel löschen.</translation>
    </message>
    <message>
        <source>Slots being migrated: %1 (%2).</source>
        <translation>Slots, die gerade umziehen: %1 (%2).</translation>
    </message>
    <message>
        <source>While its keys are split between two nodes, scripts that need several of them are refused (TRYAGAIN), and so are actions here.</source>
        <translation>Solange seine Keys auf zwei Knoten verteilt sind, werden Skripte, die mehrere davon brauchen, abgelehnt (TRYAGAIN), und Aktionen hier ebenso.</translation>
    </message>
    <message>
        <source>If nobody is moving slots now, the move was broken off: finish or undo it with redis-cli --cluster fix.</source>
        <translation>Wenn gerade niemand Slots verschiebt, wurde der Umzug abgebrochen: Er lässt sich mit redis-cli --cluster fix abschließen oder zurücknehmen.</translation>
    </message>
    <message>
        <source>Paused since %1</source>
        <translation>Pausiert seit %1</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>Pausiert</translation>
    </message>
    <message>
        <source>, %1 waiting</source>
        <translation>, %1 warten</translation>
    </message>
    <message>
        <source>the queue is paused</source>
        <translation>die Queue ist pausiert</translation>
    </message>
    <message>
        <source>no worker is running</source>
        <translation>kein Worker läuft</translation>
    </message>
    <message>
        <source>%1 overdue, the first by %2</source>
        <translation>%1 überfällig, der erste seit %2</translation>
    </message>
    <message>
        <source>%1: %2.</source>
        <translation>%1: %2.</translation>
    </message>
    <message>
        <source>Workers take no job of a paused queue.</source>
        <translation>Worker nehmen keinen Job einer pausierten Queue.</translation>
    </message>
    <message>
        <source>Resume the queue once the reason for the pause is gone; jobs that wait for long may be out of date by then.</source>
        <translation>Setzen Sie die Queue fort, sobald der Grund der Pause entfallen ist; Jobs, die lange warten, können dann veraltet sein.</translation>
    </message>
    <message>
        <source>These jobs were to run by now, and nothing moves them: a worker or scheduler has to.</source>
        <translation>Diese Jobs sollten schon laufen, und nichts verschiebt sie: Das muss ein Worker oder Scheduler tun.</translation>
    </message>
    <message>
        <source>Find out whether the worker or scheduler that moves delayed jobs is running; the jobs run late once it is.</source>
        <translation>Prüfen Sie, ob der Worker oder Scheduler läuft, der verzögerte Jobs verschiebt; die Jobs laufen verspätet, sobald er läuft.</translation>
    </message>
    <message>
        <source>; %1 of them in the list %2 of an earlier version, older than the others</source>
        <translation>; davon %1 in der Liste %2 einer früheren Version, älter als die übrigen</translation>
    </message>
</context>
<context>
    <name>lk::FindingDetail</name>
    <message>
        <source>To silence it in the configuration file</source>
        <translation>Stummschalten in der Konfigurationsdatei</translation>
    </message>
    <message>
        <source>Sho&amp;w</source>
        <translation>An&amp;zeigen</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>Details</translation>
    </message>
    <message>
        <source>Nothing selected</source>
        <translation>Nichts ausgewählt</translation>
    </message>
    <message>
        <source>Select a finding to see why it matters and how to fix it.</source>
        <translation>Wählen Sie einen Befund aus, um zu sehen, warum er wichtig ist und wie er sich beheben lässt.</translation>
    </message>
    <message>
        <source>Line of the configuration file</source>
        <translation>Zeile der Konfigurationsdatei</translation>
    </message>
    <message>
        <source>Silence here…</source>
        <translation>Hier stummschalten…</translation>
    </message>
    <message>
        <source>Writes it to the configuration file, after showing it</source>
        <translation>Schreibt es in die Konfigurationsdatei, nachdem es angezeigt wurde</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copy the line that silences this</source>
        <translation>Die Zeile kopieren, die das stummschaltet</translation>
    </message>
    <message>
        <source>Silenced findings are counted and not reported</source>
        <translation>Stummgeschaltete Befunde werden gezählt und nicht gemeldet</translation>
    </message>
    <message>
        <source>Why it matters</source>
        <translation>Warum es wichtig ist</translation>
    </message>
    <message>
        <source>Suggested fix</source>
        <translation>Empfohlene Behebung</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>Adresse</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>Key</translation>
    </message>
    <message>
        <source>Layout</source>
        <translation>Layout</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>Server</translation>
    </message>
    <message>
        <source>The scan itself</source>
        <translation>Der Scan selbst</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>Code</translation>
    </message>
    <message>
        <source>%1 (%2 more)</source>
        <translation>%1 (%2 weitere)</translation>
    </message>
    <message>
        <source>Open for</source>
        <translation>Offen seit</translation>
    </message>
    <message>
        <source>just now</source>
        <translation>gerade eben</translation>
    </message>
    <message>
        <source>Silenced in the configuration file</source>
        <translation>In der Konfigurationsdatei stummgeschaltet</translation>
    </message>
    <message>
        <source>resolved</source>
        <translation>behoben</translation>
    </message>
    <message>
        <source>Not available: %1.</source>
        <translation>Nicht verfügbar: %1.</translation>
    </message>
    <message>
        <source>No automatic fix.</source>
        <translation>Keine automatische Behebung.</translation>
    </message>
    <message>
        <source>Sho&amp;w the server</source>
        <translation>Server an&amp;zeigen</translation>
    </message>
    <message>
        <source>Sho&amp;w rows</source>
        <translation>Zeilen &amp;zeigen</translation>
    </message>
    <message>
        <source>On the board: %1</source>
        <translation>Auf dem Board: %1</translation>
    </message>
    <message>
        <source>It no longer exists</source>
        <translation>Existiert nicht mehr</translation>
    </message>
    <message>
        <source>Resolved: there is nothing left to fix.</source>
        <translation>Behoben: Es gibt nichts mehr zu tun.</translation>
    </message>
    <message>
        <source>Show when it &amp;began</source>
        <translation>&amp;Beginn anzeigen</translation>
    </message>
    <message>
        <source>Shows all boards as they were when this was first seen</source>
        <translation>Zeigt alle Boards, wie sie waren, als dies zum ersten Mal gesehen wurde</translation>
    </message>
</context>
<context>
    <name>lk::FindingModel</name>
    <message>
        <source>%1
%2
Resolved.</source>
        <translation>%1
%2
Behoben.</translation>
    </message>
    <message>
        <source>resolved</source>
        <translation>behoben</translation>
    </message>
    <message>
        <source>silenced</source>
        <translation>stummgeschaltet</translation>
    </message>
    <message>
        <source>Severity</source>
        <translation>Schweregrad</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>Meldung</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>Code</translation>
    </message>
</context>
<context>
    <name>lk::FindingNotes</name>
    <message>
        <source>Findings</source>
        <translation>Befunde</translation>
    </message>
    <message>
        <source>Why?</source>
        <translation>Warum?</translation>
    </message>
    <message>
        <source>Why it matters: %1</source>
        <translation>Warum es wichtig ist: %1</translation>
    </message>
    <message numerus="yes">
        <source>… and %Ln more</source>
        <translation>
            <numerusform>… und %Ln weiterer</numerusform>
            <numerusform>… und %Ln weitere</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lk::FindingsPage</name>
    <message>
        <source>Filter findings</source>
        <translation>Befunde filtern</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>Befunde</translation>
    </message>
    <message>
        <source>Shows findings whose name, key, code or message contains this text</source>
        <translation>Zeigt Befunde, deren Name, Key, Code oder Meldung diesen Text enthält</translation>
    </message>
    <message>
        <source>Save the table as CSV…</source>
        <translation>Tabelle als CSV speichern…</translation>
    </message>
    <message>
        <source>Copy selected rows</source>
        <translation>Ausgewählte Zeilen kopieren</translation>
    </message>
    <message>
        <source>Findings silenced in the configuration file are counted, not reported</source>
        <translation>In der Konfigurationsdatei stummgeschaltete Befunde werden gezählt, aber nicht gemeldet</translation>
    </message>
    <message>
        <source>Show silenced (%1)</source>
        <translation>Stummgeschaltete anzeigen (%1)</translation>
    </message>
    <message>
        <source>Primitives checked: %1</source>
        <translation>Geprüfte Primitive: %1</translation>
    </message>
    <message>
        <source>only the %1 most severe are listed</source>
        <translation>nur die %1 schwersten sind aufgelistet</translation>
    </message>
    <message>
        <source>Nothing matches</source>
        <translation>Keine Treffer</translation>
    </message>
    <message>
        <source>No finding matches the filter. Clear it to see all.</source>
        <translation>Kein Befund passt zum Filter. Leeren Sie ihn, um alle zu sehen.</translation>
    </message>
    <message>
        <source>No findings</source>
        <translation>Keine Befunde</translation>
    </message>
    <message>
        <source>All findings are silenced in the configuration file.</source>
        <translation>Alle Befunde sind in der Konfigurationsdatei stummgeschaltet.</translation>
    </message>
    <message>
        <source>The rules found no hazard. They run again whenever something changes.</source>
        <translation>Die Regeln haben keine Gefahr gefunden. Sie laufen wieder, sobald sich etwas ändert.</translation>
    </message>
    <message>
        <source>Nothing detected</source>
        <translation>Nichts erkannt</translation>
    </message>
    <message>
        <source>Save the table</source>
        <translation>Tabelle speichern</translation>
    </message>
    <message>
        <source>findings</source>
        <translation>befunde</translation>
    </message>
    <message>
        <source>Show the server</source>
        <translation>Server anzeigen</translation>
    </message>
    <message>
        <source>Show rows</source>
        <translation>Zeilen zeigen</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Anzeigen</translation>
    </message>
    <message>
        <source>Silence here…</source>
        <translation>Hier stummschalten…</translation>
    </message>
    <message>
        <source>Copy address</source>
        <translation>Adresse kopieren</translation>
    </message>
    <message>
        <source>Copy key</source>
        <translation>Key kopieren</translation>
    </message>
</context>
<context>
    <name>lk::FirstSeenStore</name>
    <message>
        <source>%1 was corrupt and was renamed to %2</source>
        <translation>%1 war beschädigt und wurde in %2 umbenannt</translation>
    </message>
</context>
<context>
    <name>lk::GroupUndo</name>
    <message>
        <source>Nothing in %1 can be undone any more</source>
        <translation>In %1 kann nichts mehr rückgängig gemacht werden</translation>
    </message>
    <message>
        <source>The journal has no group %1</source>
        <translation>Das Journal hat keine Gruppe %1</translation>
    </message>
</context>
<context>
    <name>lk::Handshake</name>
    <message>
        <source>the server refuses database %1: %2</source>
        <translation>der Server lehnt Datenbank %1 ab: %2</translation>
    </message>
</context>
<context>
    <name>lk::HelpDialog</name>
    <message>
        <source>Charts</source>
        <translation>Diagramme</translation>
    </message>
    <message>
        <source>Back in time; also by dragging</source>
        <translation>Zurück in der Zeit; auch durch Ziehen</translation>
    </message>
    <message>
        <source>Forward in time</source>
        <translation>Vorwärts in der Zeit</translation>
    </message>
    <message>
        <source>Zoom in</source>
        <translation>Vergrößern</translation>
    </message>
    <message>
        <source>Zoom out</source>
        <translation>Verkleinern</translation>
    </message>
    <message>
        <source>Zoom at the pointer</source>
        <translation>Am Mauszeiger zoomen</translation>
    </message>
    <message>
        <source>Ctrl+wheel</source>
        <translation>Ctrl+Mausrad</translation>
    </message>
    <message>
        <source>Pan; the wheel alone scrolls the page</source>
        <translation>Verschieben; das Mausrad allein scrollt die Seite</translation>
    </message>
    <message>
        <source>Shift+wheel</source>
        <translation>Shift+Mausrad</translation>
    </message>
    <message>
        <source>To the oldest data</source>
        <translation>Zu den ältesten Daten</translation>
    </message>
    <message>
        <source>Back to live; also by double click</source>
        <translation>Zurück zu live; auch per Doppelklick</translation>
    </message>
    <message>
        <source>Menu: copy, save as PNG or CSV, back to live</source>
        <translation>Menü: kopieren, als PNG oder CSV speichern, zurück zu live</translation>
    </message>
    <message>
        <source>Help – Lockkeeper</source>
        <translation>Hilfe – Lockkeeper</translation>
    </message>
    <message>
        <source>Keys and help</source>
        <translation>Tasten und Hilfe</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>Schl&amp;ießen</translation>
    </message>
    <message>
        <source>How Lockkeeper reads your server</source>
        <translation>Wie Lockkeeper Ihren Server liest</translation>
    </message>
    <message>
        <source>It only reads. It scans key names in small slices with SCAN, never with KEYS, and reads what it detects with commands of bounded size: what is on screen at every polling interval, the rest when it changes and from time to time. When the server slows down, it reads less. The status bar shows what this costs the server. Reading a limiter does not consume a permit.</source>
        <translation>Lockkeeper liest nur. Key-Namen werden in kleinen Stücken mit SCAN gescannt, nie mit KEYS, und was erkannt ist, wird mit Befehlen begrenzter Größe gelesen: Sichtbares in jedem Abfrageintervall, der Rest bei Änderungen und von Zeit zu Zeit. Wird der Server langsamer, liest Lockkeeper weniger. Was das den Server kostet, steht in der Statusleiste. Einen Limiter zu lesen verbraucht kein Permit.</translation>
    </message>
    <message>
        <source>Lockkeeper %1. Free software under the GNU General Public License, version 3 or later, without any warranty.</source>
        <translation>Lockkeeper %1. Freie Software unter der GNU General Public License, Version 3 oder später, ohne jede Gewährleistung.</translation>
    </message>
    <message>
        <source>Move the crosshair; Return or a click shows all boards at that time</source>
        <translation>Das Fadenkreuz bewegen; Return oder ein Klick zeigt alle Boards zu diesem Zeitpunkt</translation>
    </message>
    <message>
        <source>Shift+Left, Shift+Right</source>
        <translation>Shift+Left, Shift+Right</translation>
    </message>
    <message>
        <source>Compare with one day earlier, one week earlier, or nothing</source>
        <translation>Vergleichen: mit dem Vortag, mit der Vorwoche oder mit nichts</translation>
    </message>
    <message>
        <source>Time travel</source>
        <translation>Zeitreise</translation>
    </message>
    <message>
        <source>On the time bar: a step; with Shift a second</source>
        <translation>Auf der Zeitleiste: ein Schritt; mit Shift eine Sekunde</translation>
    </message>
    <message>
        <source>Left, Right</source>
        <translation>Left, Right</translation>
    </message>
    <message>
        <source>On the time bar: a large step</source>
        <translation>Auf der Zeitleiste: ein großer Schritt</translation>
    </message>
    <message>
        <source>Page Up, Page Down</source>
        <translation>Page Up, Page Down</translation>
    </message>
    <message>
        <source>On the time bar: to the beginning of the recording, to live</source>
        <translation>Auf der Zeitleiste: zum Anfang der Aufzeichnung, zu live</translation>
    </message>
    <message>
        <source>Home, End</source>
        <translation>Home, End</translation>
    </message>
    <message>
        <source>On the time bar: previous or next event</source>
        <translation>Auf der Zeitleiste: voriges oder nächstes Ereignis</translation>
    </message>
    <message>
        <source>Ctrl+Left, Ctrl+Right</source>
        <translation>Ctrl+Left, Ctrl+Right</translation>
    </message>
    <message>
        <source>On the time bar: play or stop</source>
        <translation>Auf der Zeitleiste: abspielen oder anhalten</translation>
    </message>
</context>
<context>
    <name>lk::HistoryCommand</name>
    <message>
        <source>%1 is not recorded</source>
        <translation>%1 ist nicht aufgezeichnet</translation>
    </message>
    <message>
        <source>%1 not found in the recording</source>
        <translation>%1 in der Aufzeichnung nicht gefunden</translation>
    </message>
    <message>
        <source>%1 is recorded in several deployments; choose one with --deployment</source>
        <translation>%1 ist in mehreren Deployments aufgezeichnet; mit --deployment eines auswählen</translation>
    </message>
    <message>
        <source>%1: some of what was recorded is missing</source>
        <translation>%1: ein Teil der Aufzeichnung fehlt</translation>
    </message>
    <message>
        <source>%1 was not recorded before %2</source>
        <translation>%1 wurde vor %2 nicht aufgezeichnet</translation>
    </message>
    <message numerus="yes">
        <source>%Ln more with that name; give a key name</source>
        <translation>
            <numerusform>%Ln weiteres mit diesem Namen; einen Key-Namen angeben</numerusform>
            <numerusform>%Ln weitere mit diesem Namen; einen Key-Namen angeben</numerusform>
        </translation>
    </message>
    <message>
        <source>From the recording, as of %1. Scan counts are those of the last scan before that.</source>
        <translation>Aus der Aufzeichnung, Stand %1. Die Zahlen des Scans sind die des letzten Scans davor.</translation>
    </message>
</context>
<context>
    <name>lk::HistoryReport</name>
    <message>
        <source>%1 (%2) on %3, %4 to %5</source>
        <translation>%1 (%2) auf %3, %4 bis %5</translation>
    </message>
    <message>
        <source>  nothing happened</source>
        <translation>  nichts ist geschehen</translation>
    </message>
    <message>
        <source>metric</source>
        <translation>Metrik</translation>
    </message>
    <message>
        <source>lowest</source>
        <translation>Minimum</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>Mittel</translation>
    </message>
    <message>
        <source>highest</source>
        <translation>Maximum</translation>
    </message>
    <message>
        <source>last</source>
        <translation>zuletzt</translation>
    </message>
</context>
<context>
    <name>lk::HolderModel</name>
    <message>
        <source>waits, next</source>
        <translation>wartet, als Nächster</translation>
    </message>
    <message>
        <source>waits</source>
        <translation>wartet</translation>
    </message>
    <message>
        <source>reads, %1 times</source>
        <translation>liest, %1-mal</translation>
    </message>
    <message>
        <source>reads</source>
        <translation>liest</translation>
    </message>
    <message>
        <source>writes, %1 times</source>
        <translation>schreibt, %1-mal</translation>
    </message>
    <message>
        <source>writes</source>
        <translation>schreibt</translation>
    </message>
    <message>
        <source>holds %1</source>
        <translation>hält %1</translation>
    </message>
    <message>
        <source>holds it</source>
        <translation>hält es</translation>
    </message>
    <message>
        <source>expired</source>
        <translation>abgelaufen</translation>
    </message>
    <message>
        <source>gave up</source>
        <translation>aufgegeben</translation>
    </message>
    <message>
        <source>Who</source>
        <translation>Wer</translation>
    </message>
    <message>
        <source>Role</source>
        <translation>Rolle</translation>
    </message>
    <message>
        <source>Since</source>
        <translation>Seit</translation>
    </message>
    <message>
        <source>TTL</source>
        <translation>TTL</translation>
    </message>
</context>
<context>
    <name>lk::HolderTable</name>
    <message>
        <source>Holders and waiting clients</source>
        <translation>Halter und wartende Clients</translation>
    </message>
</context>
<context>
    <name>lk::HttpEndpoint</name>
    <message>
        <source>--listen %1: write ADDRESS:PORT, such as 127.0.0.1:9877, [::1]:9877 or :9877</source>
        <translation>--listen %1: ADDRESS:PORT schreiben, z. B. 127.0.0.1:9877, [::1]:9877 oder :9877</translation>
    </message>
    <message>
        <source>cannot listen on %1:%2: %3</source>
        <translation>kann nicht auf %1:%2 lauschen: %3</translation>
    </message>
</context>
<context>
    <name>lk::ImportDialog</name>
    <message>
        <source>Imported</source>
        <translation>Importiert</translation>
    </message>
    <message>
        <source>Import servers – Lockkeeper</source>
        <translation>Server importieren – Lockkeeper</translation>
    </message>
    <message numerus="yes">
        <source>Import %n server(s)</source>
        <translation>
            <numerusform>%n Server importieren</numerusform>
            <numerusform>%n Server importieren</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more note(s)</source>
        <translation>
            <numerusform>%n weiterer Hinweis</numerusform>
            <numerusform>%n weitere Hinweise</numerusform>
        </translation>
    </message>
    <message>
        <source>&amp;Group</source>
        <translation>&amp;Gruppe</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>&amp;Import</source>
        <translation>&amp;Importieren</translation>
    </message>
    <message numerus="yes">
        <source>The file has %n password(s). Those that the keyring does not keep are dropped.</source>
        <translation>
            <numerusform>Die Datei enthält %n Passwort. Behält der Schlüsselbund es nicht, wird es verworfen.</numerusform>
            <numerusform>Die Datei enthält %n Passwörter. Die, die der Schlüsselbund nicht behält, werden verworfen.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lk::Invocation</name>
    <message>
        <source>Unknown command %1; --help lists all</source>
        <translation>Unbekannter Befehl %1; --help listet alle auf</translation>
    </message>
    <message>
        <source>--fail-on takes info, warning or error</source>
        <translation>--fail-on akzeptiert info, warning oder error</translation>
    </message>
    <message>
        <source>--timeout takes a duration up to 24h, such as 60s</source>
        <translation>--timeout akzeptiert eine Dauer bis 24h, z. B. 60s</translation>
    </message>
    <message>
        <source>%1 needs an address, as in: lockkeeper %1 redis://127.0.0.1:6379</source>
        <translation>%1 braucht eine Adresse, etwa: lockkeeper %1 redis://127.0.0.1:6379</translation>
    </message>
    <message>
        <source>jobs needs an address and a queue, as in: lockkeeper jobs redis://127.0.0.1:6379 email</source>
        <translation>jobs braucht Adresse und Warteschlange, etwa: lockkeeper jobs redis://127.0.0.1:6379 email</translation>
    </message>
    <message>
        <source>--%1 must not be empty</source>
        <translation>--%1 darf nicht leer sein</translation>
    </message>
    <message>
        <source>--limit takes a number from 1 to %1</source>
        <translation>--limit akzeptiert eine Zahl von 1 bis %1</translation>
    </message>
    <message>
        <source>--check needs a file, as in: lockkeeper layouts --check limiter.toml</source>
        <translation>--check braucht eine Datei, etwa: lockkeeper layouts --check limiter.toml</translation>
    </message>
    <message>
        <source>%1 is given twice</source>
        <translation>%1 ist doppelt angegeben</translation>
    </message>
    <message>
        <source>--connection takes --format text or json</source>
        <translation>--connection akzeptiert --format text oder json</translation>
    </message>
    <message>
        <source>--connection takes one address</source>
        <translation>--connection akzeptiert nur eine Adresse</translation>
    </message>
    <message>
        <source>--test-notify takes the name of a target</source>
        <translation>--test-notify verlangt den Namen eines Ziels</translation>
    </message>
    <message>
        <source>history needs a name, as in: lockkeeper history lock:invoice</source>
        <translation>history braucht einen Namen, etwa: lockkeeper history lock:invoice</translation>
    </message>
    <message>
        <source>--from must be before --to</source>
        <translation>--from muss vor --to liegen</translation>
    </message>
    <message>
        <source>--format csv is only for history</source>
        <translation>--format csv gibt es nur bei history</translation>
    </message>
    <message>
        <source>--format prometheus is only for check</source>
        <translation>--format prometheus gibt es nur bei check</translation>
    </message>
    <message>
        <source>--format takes text or json; check also takes prometheus, history csv</source>
        <translation>--format akzeptiert text oder json; check auch prometheus, history auch csv</translation>
    </message>
    <message>
        <source>--sample takes a number of keys, at least %1</source>
        <translation>--sample akzeptiert eine Anzahl Keys, mindestens %1</translation>
    </message>
    <message>
        <source>--max-memory takes a number of megabytes, at least %1</source>
        <translation>--max-memory akzeptiert eine Anzahl Megabyte, mindestens %1</translation>
    </message>
    <message>
        <source>--at takes one address</source>
        <translation>--at akzeptiert nur eine Adresse</translation>
    </message>
    <message>
        <source>--at prints what was recorded; leave out --sample and --max-memory</source>
        <translation>--at gibt Aufgezeichnetes aus; --sample und --max-memory weglassen</translation>
    </message>
    <message>
        <source>--for takes a duration up to 24d, such as 10m</source>
        <translation>--for akzeptiert eine Dauer bis 24d, z. B. 10m</translation>
    </message>
    <message>
        <source>--sentinel cannot be used with --act or with a URL</source>
        <translation>--sentinel passt weder zu --act noch zu einer URL</translation>
    </message>
    <message>
        <source>--listen-password-file needs --listen</source>
        <translation>--listen-password-file braucht --listen</translation>
    </message>
    <message>
        <source>--try cannot be used with --check</source>
        <translation>--try und --check schließen sich aus</translation>
    </message>
</context>
<context>
    <name>lk::JobDialog</name>
    <message>
        <source>&amp;Indent JSON</source>
        <translation>JSON &amp;einrücken</translation>
    </message>
    <message>
        <source>Job of %1 – Lockkeeper</source>
        <translation>Job von %1 – Lockkeeper</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>job %1</source>
        <translation>Job %1</translation>
    </message>
    <message>
        <source>Payload</source>
        <translation>Payload</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>Stored fields</source>
        <translation>Gespeicherte Felder</translation>
    </message>
    <message>
        <source>&amp;Show payload</source>
        <translation>Payload &amp;anzeigen</translation>
    </message>
    <message>
        <source>&amp;Copy payload</source>
        <translation>&amp;Payload kopieren</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>The job no longer exists</source>
        <translation>Den Job gibt es nicht mehr</translation>
    </message>
    <message>
        <source>ID</source>
        <translation>ID</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Worker</source>
        <translation>Worker</translation>
    </message>
    <message>
        <source>Lease</source>
        <translation>Lease</translation>
    </message>
    <message>
        <source>alive: its worker keeps renewing it</source>
        <translation>aktiv: Der Worker erneuert sie</translation>
    </message>
    <message>
        <source>expired: its worker no longer renews it</source>
        <translation>erloschen: Der Worker erneuert sie nicht mehr</translation>
    </message>
    <message>
        <source>Attempts</source>
        <translation>Versuche</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <comment>attempts</comment>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Enqueued</source>
        <translation>Eingereiht</translation>
    </message>
    <message>
        <source>Started</source>
        <translation>Gestartet</translation>
    </message>
    <message>
        <source>In progress since</source>
        <translation>In Arbeit seit</translation>
    </message>
    <message>
        <source>Finished</source>
        <translation>Beendet</translation>
    </message>
    <message>
        <source>Due at</source>
        <translation>Fällig um</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>Key</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Digest</source>
        <translation>Digest</translation>
    </message>
    <message>
        <source>Hidden. Show it with the button below.</source>
        <translation>Verborgen. Mit der Schaltfläche unten anzeigen.</translation>
    </message>
    <message>
        <source>The first %1 of %2; it is too large to show in full</source>
        <translation>Die ersten %1 von %2; zu groß, um alles anzuzeigen</translation>
    </message>
    <message>
        <source>The first %1 of %2; reading the rest…</source>
        <translation>Die ersten %1 von %2; der Rest wird gelesen…</translation>
    </message>
    <message>
        <source>The job %1 is gone</source>
        <translation>Den Job %1 gibt es nicht mehr</translation>
    </message>
    <message>
        <source>The queue %1 of that job was not detected</source>
        <translation>Die Warteschlange %1 dieses Jobs wurde nicht erkannt</translation>
    </message>
    <message>
        <source>Waited for</source>
        <translation>Wartezeit</translation>
    </message>
    <message>
        <source>Ran for</source>
        <translation>Laufzeit</translation>
    </message>
    <message>
        <source>Cluster slot</source>
        <translation>Cluster-Slot</translation>
    </message>
</context>
<context>
    <name>lk::JobLinks</name>
    <message>
        <source>Parent</source>
        <translation>Übergeordnet</translation>
    </message>
    <message>
        <source>Child</source>
        <translation>Untergeordnet</translation>
    </message>
    <message>
        <source>Waits for</source>
        <translation>Wartet auf</translation>
    </message>
    <message>
        <source>Runs after it</source>
        <translation>Läuft danach</translation>
    </message>
    <message>
        <source>Same batch</source>
        <translation>Gleicher Batch</translation>
    </message>
    <message>
        <source>Relation</source>
        <translation>Beziehung</translation>
    </message>
    <message>
        <source>Job</source>
        <translation>Job</translation>
    </message>
    <message>
        <source>Queue</source>
        <translation>Warteschlange</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Linked jobs</source>
        <translation>Verknüpfte Jobs</translation>
    </message>
    <message>
        <source>Return or a double click opens the job</source>
        <translation>Return oder ein Doppelklick öffnet den Job</translation>
    </message>
    <message numerus="yes">
        <source>%Ln linked jobs, too many to list</source>
        <translation>
            <numerusform>%Ln verknüpfter Job, nicht aufgelistet</numerusform>
            <numerusform>%Ln verknüpfte Jobs, zu viele zum Auflisten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %Ln more</source>
        <translation>
            <numerusform>und %Ln weiterer</numerusform>
            <numerusform>und %Ln weitere</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lk::JobListing</name>
    <message>
        <source>The queue no longer exists</source>
        <translation>Die Warteschlange existiert nicht mehr</translation>
    </message>
    <message>
        <source>The job is no longer in the list</source>
        <translation>Der Job ist nicht mehr in der Liste</translation>
    </message>
</context>
<context>
    <name>lk::JobModel</name>
    <message>
        <source>%1, stuck</source>
        <translation>%1, hängt</translation>
    </message>
    <message>
        <source>Due at %1</source>
        <translation>Fällig um %1</translation>
    </message>
    <message>
        <source>First seen in progress %1 ago, at %2. Jobs in a list have no timestamp of their own.</source>
        <translation>Zuerst in Arbeit gesehen vor %1, um %2. Jobs in einer Liste haben keinen eigenen Zeitstempel.</translation>
    </message>
    <message>
        <source>Since %1. The lease that its worker must renew has expired.</source>
        <translation>Seit %1. Das Lease, das der Worker erneuern muss, ist abgelaufen.</translation>
    </message>
    <message>
        <source>Since %1</source>
        <translation>Seit %1</translation>
    </message>
    <message>
        <source>%1
in %2</source>
        <translation>%1
in %2</translation>
    </message>
    <message>
        <source>No.</source>
        <translation>Nr.</translation>
    </message>
    <message>
        <source>ID</source>
        <translation>ID</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Due in</source>
        <translation>Fällig in</translation>
    </message>
    <message>
        <source>In progress for</source>
        <translation>In Arbeit seit</translation>
    </message>
    <message>
        <source>Since failure</source>
        <translation>Fehlgeschlagen vor</translation>
    </message>
    <message>
        <source>Since finish</source>
        <translation>Beendet vor</translation>
    </message>
    <message>
        <source>Waiting for</source>
        <translation>Wartet seit</translation>
    </message>
    <message>
        <source>Worker</source>
        <translation>Worker</translation>
    </message>
    <message>
        <source>Attempts</source>
        <translation>Versuche</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Payload</source>
        <translation>Payload</translation>
    </message>
</context>
<context>
    <name>lk::JobPanel</name>
    <message>
        <source>not read yet</source>
        <translation>noch nicht gelesen</translation>
    </message>
    <message>
        <source>read %1 ago</source>
        <translation>vor %1 gelesen</translation>
    </message>
    <message>
        <source>Jobs</source>
        <translation>Jobs</translation>
    </message>
    <message>
        <source>Jobs: %1</source>
        <translation>Jobs: %1</translation>
    </message>
    <message>
        <source>%1: no jobs</source>
        <translation>%1: keine Jobs</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>Wird gelesen…</translation>
    </message>
    <message>
        <source>Too large to list</source>
        <translation>Zu groß zum Auflisten</translation>
    </message>
    <message>
        <source>stuck after %1</source>
        <translation>hängt nach %1</translation>
    </message>
    <message numerus="yes">
        <source>%Ln selected</source>
        <translation>
            <numerusform>%Ln ausgewählt</numerusform>
            <numerusform>%Ln ausgewählt</numerusform>
        </translation>
    </message>
    <message>
        <source>Selected jobs</source>
        <translation>Ausgewählte Jobs</translation>
    </message>
    <message>
        <source>Actions for the selected jobs</source>
        <translation>Aktionen für die ausgewählten Jobs</translation>
    </message>
    <message>
        <source>Select jobs first</source>
        <translation>Zuerst Jobs auswählen</translation>
    </message>
    <message>
        <source>%1 (%2)…</source>
        <translation>%1 (%2)…</translation>
    </message>
    <message>
        <source>the selected jobs are in several lists; select jobs of one list</source>
        <translation>die ausgewählten Jobs stehen in mehreren Listen; wählen Sie Jobs einer Liste aus</translation>
    </message>
    <message>
        <source>View payload</source>
        <translation>Payload ansehen</translation>
    </message>
    <message>
        <source>Back to the queues</source>
        <translation>Zurück zu den Warteschlangen</translation>
    </message>
    <message>
        <source>Open jobs</source>
        <translation>Jobs öffnen</translation>
    </message>
    <message>
        <source>Shows the other queues again (Esc)</source>
        <translation>Zeigt wieder die anderen Warteschlangen (Esc)</translation>
    </message>
    <message>
        <source>Shows the jobs of this queue in the whole window (Return)</source>
        <translation>Zeigt die Jobs dieser Warteschlange im ganzen Fenster (Return)</translation>
    </message>
    <message>
        <source>Searching…</source>
        <translation>Suche läuft…</translation>
    </message>
    <message>
        <source>No job found</source>
        <translation>Kein Job gefunden</translation>
    </message>
    <message>
        <source>next first</source>
        <translation>nächste zuerst</translation>
    </message>
    <message>
        <source>Open job</source>
        <translation>Job öffnen</translation>
    </message>
    <message>
        <source>The recording counts jobs; it does not keep them</source>
        <translation>Die Aufzeichnung zählt Jobs nur, sie bewahrt sie nicht auf</translation>
    </message>
    <message>
        <source>no payloads</source>
        <translation>ohne Payloads</translation>
    </message>
</context>
<context>
    <name>lk::JobSearchBar</name>
    <message>
        <source>Search jobs</source>
        <translation>Jobs suchen</translation>
    </message>
    <message>
        <source>Search jobs: ID, name, worker, error, payload</source>
        <translation>Jobs suchen: ID, Name, Worker, Fehler, Payload</translation>
    </message>
    <message>
        <source>Search more</source>
        <translation>Weitersuchen</translation>
    </message>
    <message>
        <source>%1 found, the first %2 shown</source>
        <translation>%1 gefunden, die ersten %2 angezeigt</translation>
    </message>
    <message>
        <source>%1 found</source>
        <translation>%1 gefunden</translation>
    </message>
    <message>
        <source>%1, searched all %2</source>
        <translation>%1, alle %2 durchsucht</translation>
    </message>
    <message>
        <source>%1, searched %2 of %3</source>
        <translation>%1, %2 von %3 durchsucht</translation>
    </message>
    <message>
        <source>%1, searched %2</source>
        <translation>%1, %2 durchsucht</translation>
    </message>
</context>
<context>
    <name>lk::JobState</name>
    <message>
        <source>Waiting</source>
        <translation>Wartend</translation>
    </message>
    <message>
        <source>In progress</source>
        <translation>In Arbeit</translation>
    </message>
    <message>
        <source>Delayed</source>
        <translation>Verzögert</translation>
    </message>
    <message>
        <source>Dead-lettered</source>
        <translation>In Dead Letters</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>Pausiert</translation>
    </message>
    <message>
        <source>Active</source>
        <translation>Aktiv</translation>
    </message>
    <message>
        <source>Scheduled</source>
        <translation>Geplant</translation>
    </message>
    <message>
        <source>Dead</source>
        <translation>Tot</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>Fehlgeschlagen</translation>
    </message>
    <message>
        <source>Completed</source>
        <translation>Abgeschlossen</translation>
    </message>
</context>
<context>
    <name>lk::JobStateBar</name>
    <message>
        <source>Show jobs: %1, %2</source>
        <translation>Jobs anzeigen: %1, %2</translation>
    </message>
</context>
<context>
    <name>lk::JobTable</name>
    <message>
        <source>Jobs</source>
        <translation>Jobs</translation>
    </message>
</context>
<context>
    <name>lk::JobsReading</name>
    <message>
        <source>reading the jobs of %1: no progress for %2</source>
        <translation>Lesen der Jobs von %1: seit %2 kein Fortschritt</translation>
    </message>
    <message>
        <source>%1 not found</source>
        <translation>%1 nicht gefunden</translation>
    </message>
    <message>
        <source>the jobs of %1 cannot be listed</source>
        <translation>die Jobs von %1 lassen sich nicht auflisten</translation>
    </message>
    <message>
        <source>%1 has no state %2; it has: %3</source>
        <translation>%1 hat keinen Zustand %2; möglich sind: %3</translation>
    </message>
</context>
<context>
    <name>lk::JobsReport</name>
    <message>
        <source>%1 of %2</source>
        <comment>attempts</comment>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>alive</source>
        <comment>a worker&apos;s lease</comment>
        <translation>aktiv</translation>
    </message>
    <message>
        <source>gone</source>
        <comment>a worker&apos;s lease</comment>
        <translation>erloschen</translation>
    </message>
    <message>
        <source>ID</source>
        <translation>ID</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Worker</source>
        <translation>Worker</translation>
    </message>
    <message>
        <source>Enqueued</source>
        <translation>Eingereiht</translation>
    </message>
    <message>
        <source>In progress for</source>
        <translation>In Arbeit seit</translation>
    </message>
    <message>
        <source>Lease</source>
        <translation>Lease</translation>
    </message>
    <message>
        <source>Due in</source>
        <translation>Fällig in</translation>
    </message>
    <message>
        <source>Finished</source>
        <translation>Beendet</translation>
    </message>
    <message>
        <source>Attempts</source>
        <translation>Versuche</translation>
    </message>
    <message>
        <source>Payload</source>
        <translation>Payload</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>… cut after %1</source>
        <translation>… nach %1 abgeschnitten</translation>
    </message>
    <message>
        <source>%1: could not be read: %2</source>
        <translation>%1: konnte nicht gelesen werden: %2</translation>
    </message>
    <message>
        <source>%1: %2 found, all %3 jobs searched</source>
        <translation>%1: %2 gefunden, alle %3 Jobs durchsucht</translation>
    </message>
    <message>
        <source>%1: %2 found, %3 of %4 jobs searched</source>
        <translation>%1: %2 gefunden, %3 von %4 Jobs durchsucht</translation>
    </message>
    <message>
        <source>%1: the first %2 of %3 jobs</source>
        <translation>%1: die ersten %2 von %3 Jobs</translation>
    </message>
    <message>
        <source>Queue %1, %2</source>
        <translation>Warteschlange %1, %2</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>pausiert</translation>
    </message>
    <message numerus="yes">
        <source>%1: %Ln job(s)</source>
        <translation>
            <numerusform>%1: %Ln Job</numerusform>
            <numerusform>%1: %Ln Jobs</numerusform>
        </translation>
    </message>
    <message>
        <source>paused since %1</source>
        <translation>pausiert seit %1</translation>
    </message>
    <message>
        <source>%1 overdue, the first by %2</source>
        <translation>%1 überfällig, der erste seit %2</translation>
    </message>
    <message>
        <source>Key (--from)</source>
        <translation>Schlüssel (--from)</translation>
    </message>
</context>
<context>
    <name>lk::Journal</name>
    <message>
        <source>The journal cannot be written: %1</source>
        <translation>Das Journal kann nicht geschrieben werden: %1</translation>
    </message>
    <message>
        <source>No outcome was recorded: it may or may not have run</source>
        <translation>Kein Ausgang vermerkt: Vielleicht wurde sie ausgeführt, vielleicht nicht</translation>
    </message>
    <message>
        <source>another program keeps it locked</source>
        <translation>ein anderes Programm hält es gesperrt</translation>
    </message>
    <message>
        <source>The journal cannot be read: %1: %2</source>
        <translation>Das Journal kann nicht gelesen werden: %1: %2</translation>
    </message>
</context>
<context>
    <name>lk::JournalDetail</name>
    <message>
        <source>expires %1</source>
        <translation>Ablauf: %1</translation>
    </message>
    <message>
        <source>does not expire</source>
        <translation>läuft nicht ab</translation>
    </message>
    <message>
        <source>SHA-1 %1</source>
        <translation>SHA-1 %1</translation>
    </message>
    <message>
        <source>absent</source>
        <translation>nicht vorhanden</translation>
    </message>
    <message>
        <source>When</source>
        <translation>Wann</translation>
    </message>
    <message>
        <source>Who</source>
        <translation>Wer</translation>
    </message>
    <message>
        <source>Redis user</source>
        <translation>Redis-Benutzer</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>Grund</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>Server</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>Keys</translation>
    </message>
    <message>
        <source>Only if</source>
        <translation>Nur wenn</translation>
    </message>
    <message>
        <source>Changed</source>
        <translation>Geändert</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>Vorher</translation>
    </message>
    <message>
        <source>After</source>
        <translation>Nachher</translation>
    </message>
    <message>
        <source>Undoes</source>
        <translation>Macht rückgängig</translation>
    </message>
    <message>
        <source>Group</source>
        <translation>Gruppe</translation>
    </message>
    <message>
        <source>Receipt</source>
        <translation>Beleg</translation>
    </message>
    <message numerus="yes">
        <source>and %Ln more</source>
        <translation>
            <numerusform>und %Ln weiterer</numerusform>
            <numerusform>und %Ln weitere</numerusform>
        </translation>
    </message>
    <message>
        <source>From</source>
        <translation>Von</translation>
    </message>
    <message>
        <source>To</source>
        <translation>Bis</translation>
    </message>
    <message>
        <source>Names</source>
        <translation>Namen</translation>
    </message>
    <message>
        <source>&amp;Undo…</source>
        <translation>&amp;Rückgängig machen…</translation>
    </message>
    <message>
        <source>Cop&amp;y receipt ID</source>
        <translation>Beleg-ID &amp;kopieren</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>Details</translation>
    </message>
    <message>
        <source>Nothing selected</source>
        <translation>Nichts ausgewählt</translation>
    </message>
    <message>
        <source>Select an action to see what it changed and how to undo it.</source>
        <translation>Wählen Sie eine Aktion aus, um zu sehen, was sie geändert hat und wie sie sich rückgängig machen lässt.</translation>
    </message>
    <message numerus="yes">
        <source>%Ln action(s)</source>
        <translation>
            <numerusform>%Ln Aktion</numerusform>
            <numerusform>%Ln Aktionen</numerusform>
        </translation>
    </message>
    <message>
        <source>Cop&amp;y group ID</source>
        <translation>Gruppen-ID &amp;kopieren</translation>
    </message>
    <message numerus="yes">
        <source>&amp;Undo all %Ln…</source>
        <translation>
            <numerusform>&amp;Rückgängig machen: %Ln…</numerusform>
            <numerusform>Alle %Ln &amp;rückgängig machen…</numerusform>
        </translation>
    </message>
    <message>
        <source>Already undone</source>
        <translation>Schon rückgängig gemacht</translation>
    </message>
    <message>
        <source>Shows the plan first</source>
        <translation>Zeigt zuerst den Plan</translation>
    </message>
    <message>
        <source>It was run on %1: connect there to undo it</source>
        <translation>Sie lief auf %1: Verbinden Sie sich dort, um sie rückgängig zu machen</translation>
    </message>
    <message>
        <source>&amp;Show this moment</source>
        <translation>Diesen Zeitpunkt &amp;zeigen</translation>
    </message>
    <message>
        <source>Shows all boards as they were right after it</source>
        <translation>Zeigt alle Boards, wie sie direkt danach waren</translation>
    </message>
    <message>
        <source>You are looking at the past; go back to live to undo it</source>
        <translation>Angezeigt wird die Vergangenheit; zum Rückgängigmachen zurück zu live wechseln</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>Knoten</translation>
    </message>
</context>
<context>
    <name>lk::JournalModel</name>
    <message>
        <source>%1, just now</source>
        <translation>%1, gerade eben</translation>
    </message>
    <message>
        <source>%1, %2 ago</source>
        <translation>%1, vor %2</translation>
    </message>
    <message>
        <source>%1 of %2 succeeded</source>
        <translation>%1 von %2 erfolgreich</translation>
    </message>
    <message>
        <source>%1, expanded</source>
        <translation>%1, aufgeklappt</translation>
    </message>
    <message>
        <source>%1, collapsed</source>
        <translation>%1, zugeklappt</translation>
    </message>
    <message numerus="yes">
        <source>%Ln action(s)</source>
        <translation>
            <numerusform>%Ln Aktion</numerusform>
            <numerusform>%Ln Aktionen</numerusform>
        </translation>
    </message>
    <message>
        <source>When</source>
        <translation>Wann</translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation>Ausgang</translation>
    </message>
    <message>
        <source>Action</source>
        <translation>Aktion</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Who</source>
        <translation>Wer</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>Grund</translation>
    </message>
</context>
<context>
    <name>lk::JournalPage</name>
    <message>
        <source>Filter the journal</source>
        <translation>Journal filtern</translation>
    </message>
    <message>
        <source>Shows actions whose name, key, user, reason or receipt contains this text (Ctrl+F)</source>
        <translation>Zeigt Aktionen, deren Name, Key, Benutzer, Grund oder Beleg diesen Text enthält (Ctrl+F)</translation>
    </message>
    <message>
        <source>Save as CSV…</source>
        <translation>Als CSV speichern…</translation>
    </message>
    <message>
        <source>Save as JSON…</source>
        <translation>Als JSON speichern…</translation>
    </message>
    <message>
        <source>Journal</source>
        <translation>Journal</translation>
    </message>
    <message>
        <source>The journal cannot be read</source>
        <translation>Das Journal kann nicht gelesen werden</translation>
    </message>
    <message>
        <source>Nothing matches</source>
        <translation>Keine Treffer</translation>
    </message>
    <message>
        <source>No action matches the filter. Clear it to see all.</source>
        <translation>Keine Aktion passt zum Filter. Leeren Sie ihn, um alle zu sehen.</translation>
    </message>
    <message>
        <source>No journal</source>
        <translation>Kein Journal</translation>
    </message>
    <message>
        <source>This session has no journal, so it is read-only.</source>
        <translation>Diese Sitzung hat kein Journal und liest deshalb nur.</translation>
    </message>
    <message>
        <source>No actions yet</source>
        <translation>Noch keine Aktionen</translation>
    </message>
    <message>
        <source>Every action run from this account appears here: when, who, why, before, after, and its undo. To run one, turn on write mode, select a lock, queue, limiter or token, and press Ctrl+Return.</source>
        <translation>Hier erscheint jede Aktion, die von diesem Konto ausgeführt wurde: wann, wer, warum, vorher, nachher und wie sie rückgängig gemacht wird. Um eine auszuführen, schalten Sie den Schreibmodus ein, wählen ein Lock, eine Warteschlange, einen Limiter oder ein Token aus und drücken Ctrl+Return.</translation>
    </message>
    <message>
        <source>Save the journal</source>
        <translation>Journal speichern</translation>
    </message>
    <message>
        <source>JSON (*.json)</source>
        <translation>JSON (*.json)</translation>
    </message>
    <message>
        <source>Copy selected rows</source>
        <translation>Ausgewählte Zeilen kopieren</translation>
    </message>
    <message>
        <source>No actions before this time</source>
        <translation>Keine Aktionen vor dieser Zeit</translation>
    </message>
    <message>
        <source>No action had been run from this account by then.</source>
        <translation>Von diesem Konto aus war bis dahin keine Aktion ausgeführt worden.</translation>
    </message>
</context>
<context>
    <name>lk::Kind</name>
    <message>
        <source>Limiters</source>
        <translation>Limiter</translation>
    </message>
    <message>
        <source>Locks</source>
        <translation>Locks</translation>
    </message>
    <message>
        <source>Queues</source>
        <translation>Queues</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Tokens</translation>
    </message>
    <message>
        <source>Patterns</source>
        <translation>Muster</translation>
    </message>
    <message>
        <source>inferred</source>
        <translation>abgeleitet</translation>
    </message>
    <message>
        <source>declared</source>
        <translation>deklariert</translation>
    </message>
    <message>
        <source>stored</source>
        <translation>gespeichert</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>unbekannt</translation>
    </message>
    <message>
        <source>limiters</source>
        <translation>Limiter</translation>
    </message>
    <message>
        <source>locks</source>
        <translation>Locks</translation>
    </message>
    <message>
        <source>queues</source>
        <translation>Warteschlangen</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>Tokens</translation>
    </message>
    <message>
        <source>patterns</source>
        <translation>Muster</translation>
    </message>
</context>
<context>
    <name>lk::Layout</name>
    <message>
        <source>Fixed window counter</source>
        <translation>Fixed-Window-Zähler</translation>
    </message>
    <message>
        <source>the value is not a whole number</source>
        <translation>der Wert ist keine ganze Zahl</translation>
    </message>
    <message>
        <source>Gate</source>
        <translation>Gate</translation>
    </message>
    <message>
        <source>Rejected calls</source>
        <translation>Abgewiesene Aufrufe</translation>
    </message>
    <message>
        <source>Redisson rate limiter</source>
        <translation>Redisson-Rate-Limiter</translation>
    </message>
    <message>
        <source>Shared by</source>
        <translation>Gilt für</translation>
    </message>
    <message>
        <source>each client separately</source>
        <translation>jeden Client einzeln</translation>
    </message>
    <message>
        <source>all clients</source>
        <translation>alle Clients zusammen</translation>
    </message>
    <message>
        <source>Keys kept for</source>
        <translation>Keys bleiben</translation>
    </message>
    <message>
        <source>no TTL</source>
        <translation>ohne TTL</translation>
    </message>
    <message>
        <source>Written by</source>
        <translation>Geschrieben von</translation>
    </message>
    <message>
        <source>Redisson %1 (packed %2)</source>
        <translation>Redisson %1 (gepackt %2)</translation>
    </message>
    <message>
        <source>Available (stored)</source>
        <translation>Verfügbar (gespeichert)</translation>
    </message>
    <message>
        <source>%1; %2 by the permits</source>
        <translation>%1; %2 nach den Permits</translation>
    </message>
    <message>
        <source>the permits have an unknown format</source>
        <translation>die Permits haben ein unbekanntes Format</translation>
    </message>
    <message>
        <source>Resource with consumers</source>
        <translation>Ressource mit Consumern</translation>
    </message>
    <message>
        <source>Rolling window</source>
        <translation>Rolling Window</translation>
    </message>
    <message>
        <source>Rolling window with retry-after</source>
        <translation>Rolling Window mit Retry-After</translation>
    </message>
    <message>
        <source>Lock with owner and TTL</source>
        <translation>Lock mit Besitzer und TTL</translation>
    </message>
    <message>
        <source>Timestamp lock</source>
        <translation>Zeitstempel-Lock</translation>
    </message>
    <message>
        <source>the value is not a timestamp</source>
        <translation>der Wert ist kein Zeitstempel</translation>
    </message>
    <message>
        <source>Bitmap per period</source>
        <translation>Bitmap pro Zeitraum</translation>
    </message>
    <message>
        <source>Count</source>
        <translation>Anzahl</translation>
    </message>
    <message>
        <source>too large to count</source>
        <translation>zu groß zum Zählen</translation>
    </message>
    <message>
        <source>Counter</source>
        <translation>Zähler</translation>
    </message>
    <message>
        <source>Array of records</source>
        <translation>Array aus Datensätzen</translation>
    </message>
    <message>
        <source>Record size</source>
        <translation>Datensatzgröße</translation>
    </message>
    <message>
        <source>Navigation session</source>
        <translation>Navigationssitzung</translation>
    </message>
    <message>
        <source>Last page</source>
        <translation>Letzte Seite</translation>
    </message>
    <message>
        <source>%1 ago</source>
        <translation>vor %1</translation>
    </message>
    <message>
        <source>Cached sort</source>
        <translation>Gecachte Sortierung</translation>
    </message>
    <message>
        <source>Expiry</source>
        <translation>Ablauf</translation>
    </message>
    <message>
        <source>no TTL: it is never rebuilt</source>
        <translation>ohne TTL: wird nie neu aufgebaut</translation>
    </message>
    <message>
        <source>Rebuild lock</source>
        <translation>Rebuild-Lock</translation>
    </message>
    <message>
        <source>no TTL: nobody can rebuild the list</source>
        <translation>ohne TTL: niemand kann die Liste neu aufbauen</translation>
    </message>
    <message>
        <source>Weighted set</source>
        <translation>Gewichtete Menge</translation>
    </message>
    <message>
        <source>Draw from</source>
        <translation>Ziehung aus</translation>
    </message>
    <message>
        <source>0 to %1, not 0 to 1</source>
        <translation>0 bis %1, nicht 0 bis 1</translation>
    </message>
    <message>
        <source>%1 is not a %2</source>
        <comment>key, expected type</comment>
        <translation>%1 ist nicht vom Typ %2</translation>
    </message>
    <message>
        <source>%1 must be a %2 and is a %3</source>
        <comment>key, expected type, found type</comment>
        <translation>%1 muss vom Typ %2 sein und ist vom Typ %3</translation>
    </message>
    <message>
        <source>%1 replies for %2 commands</source>
        <translation>%1 Antworten auf %2 Befehle</translation>
    </message>
    <message>
        <source>Circular list</source>
        <translation>Ringliste</translation>
    </message>
    <message>
        <source>Due</source>
        <translation>Fällig</translation>
    </message>
    <message>
        <source>Event queue</source>
        <translation>Event-Warteschlange</translation>
    </message>
    <message>
        <source>Reliable list</source>
        <translation>Zuverlässige Liste</translation>
    </message>
    <message>
        <source>Items</source>
        <translation>Einträge</translation>
    </message>
    <message>
        <source>too large to preview</source>
        <translation>zu groß für eine Vorschau</translation>
    </message>
    <message>
        <source>One-time token with a use count</source>
        <translation>Einmal-Token mit Verwendungszähler</translation>
    </message>
    <message>
        <source>One-time token</source>
        <translation>Einmal-Token</translation>
    </message>
    <message>
        <source>Never released</source>
        <translation>Nie freigegeben</translation>
    </message>
    <message>
        <source>Blocked</source>
        <translation>Blockiert</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>ja</translation>
    </message>
    <message>
        <source>the value is not a time</source>
        <translation>der Wert ist keine Zeitangabe</translation>
    </message>
    <message>
        <source>Empty in</source>
        <translation>Leer in</translation>
    </message>
    <message>
        <source>the value is not a number</source>
        <translation>der Wert ist keine Zahl</translation>
    </message>
    <message>
        <source>Counted at</source>
        <translation>Gezählt um</translation>
    </message>
    <message>
        <source>Reservoir</source>
        <translation>Reservoir</translation>
    </message>
    <message>
        <source>Time between jobs</source>
        <translation>Abstand zwischen Jobs</translation>
    </message>
    <message>
        <source>Blocked for</source>
        <translation>Blockiert für</translation>
    </message>
    <message>
        <source>Jobs done</source>
        <translation>Erledigte Jobs</translation>
    </message>
    <message>
        <source>the value is not a bucket</source>
        <translation>der Wert gehört zu keinem Bucket</translation>
    </message>
    <message>
        <source>Bandwidths</source>
        <translation>Bandbreiten</translation>
    </message>
    <message>
        <source>the value is not a limiter</source>
        <translation>der Wert gehört zu keinem Limiter</translation>
    </message>
    <message>
        <source>Token bucket</source>
        <translation>Token Bucket</translation>
    </message>
    <message>
        <source>the tokens are not a number</source>
        <translation>die Tokens sind keine Zahl</translation>
    </message>
    <message>
        <source>Tokens left when last counted</source>
        <translation>Übrige Tokens bei letzter Zählung</translation>
    </message>
    <message>
        <source>Last counted</source>
        <translation>Zuletzt gezählt</translation>
    </message>
    <message>
        <source>redis-semaphore (Ruby)</source>
        <translation>redis-semaphore (Ruby)</translation>
    </message>
    <message>
        <source>Laravel funnel</source>
        <translation>Laravel-Funnel</translation>
    </message>
    <message>
        <source>Limit</source>
        <translation>Limit</translation>
    </message>
    <message>
        <source>at least %L1</source>
        <translation>mindestens %L1</translation>
    </message>
    <message>
        <source>Nextcloud file lock</source>
        <translation>Nextcloud-Datei-Lock</translation>
    </message>
    <message>
        <source>Work</source>
        <translation>Arbeit</translation>
    </message>
    <message>
        <source>may have finished: the lock is kept for its minimum time</source>
        <translation>vielleicht schon beendet: Das Lock bleibt für den Mindestabstand zwischen Läufen bestehen</translation>
    </message>
    <message>
        <source>redis-py lock</source>
        <translation>redis-py-Lock</translation>
    </message>
    <message>
        <source>Laravel lock</source>
        <translation>Laravel-Lock</translation>
    </message>
    <message>
        <source>DistributedLock (.NET)</source>
        <translation>DistributedLock (.NET)</translation>
    </message>
    <message>
        <source>Library</source>
        <translation>Bibliothek</translation>
    </message>
    <message>
        <source>Acquired at</source>
        <translation>Erworben um</translation>
    </message>
    <message>
        <source>Host</source>
        <translation>Host</translation>
    </message>
    <message>
        <source>Process</source>
        <translation>Prozess</translation>
    </message>
    <message>
        <source>Client</source>
        <translation>Client</translation>
    </message>
    <message>
        <source>Thread</source>
        <translation>Thread</translation>
    </message>
    <message>
        <source>MAC address</source>
        <translation>MAC-Adresse</translation>
    </message>
    <message>
        <source>Metadata</source>
        <translation>Metadaten</translation>
    </message>
    <message>
        <source>DistributedLock reader-writer lock (.NET)</source>
        <translation>DistributedLock-Reader-Writer-Lock (.NET)</translation>
    </message>
    <message>
        <source>Redisson lock</source>
        <translation>Redisson-Lock</translation>
    </message>
    <message>
        <source>Fencing token</source>
        <translation>Fencing-Token</translation>
    </message>
    <message>
        <source>Redisson expirable semaphore</source>
        <translation>Redisson-Semaphore mit Ablauf</translation>
    </message>
    <message>
        <source>Redisson semaphore</source>
        <translation>Redisson-Semaphore</translation>
    </message>
    <message>
        <source>Available permits</source>
        <translation>Verfügbare Permits</translation>
    </message>
    <message>
        <source>rueidislock</source>
        <translation>rueidislock</translation>
    </message>
    <message>
        <source>Votes</source>
        <translation>Stimmen</translation>
    </message>
    <message>
        <source>%L1 of %L2 keys</source>
        <translation>%L1 von %L2 Keys</translation>
    </message>
    <message>
        <source>Symfony semaphore</source>
        <translation>Symfony-Semaphore</translation>
    </message>
    <message>
        <source>Discourse mutex</source>
        <translation>Discourse-Mutex</translation>
    </message>
    <message>
        <source>sidekiq-unique-jobs lock</source>
        <translation>sidekiq-unique-jobs-Lock</translation>
    </message>
    <message>
        <source>Lease</source>
        <translation>Lease</translation>
    </message>
    <message>
        <source>Bull queue</source>
        <translation>Bull-Warteschlange</translation>
    </message>
    <message>
        <source>BullMQ queue</source>
        <translation>BullMQ-Warteschlange</translation>
    </message>
    <message>
        <source>Version</source>
        <translation>Version</translation>
    </message>
    <message>
        <source>Concurrency</source>
        <translation>Jobs gleichzeitig</translation>
    </message>
    <message>
        <source>Celery queue</source>
        <translation>Celery-Warteschlange</translation>
    </message>
    <message>
        <source>Hangfire queue</source>
        <translation>Hangfire-Warteschlange</translation>
    </message>
    <message>
        <source>asynq queue</source>
        <translation>asynq-Warteschlange</translation>
    </message>
    <message>
        <source>Faktory queue</source>
        <translation>Faktory-Warteschlange</translation>
    </message>
    <message>
        <source>gocraft/work queue</source>
        <translation>gocraft/work-Warteschlange</translation>
    </message>
    <message>
        <source>Counted as in progress</source>
        <translation>Als in Arbeit gezählt</translation>
    </message>
    <message>
        <source>machinery queue</source>
        <translation>machinery-Warteschlange</translation>
    </message>
    <message>
        <source>rmq queue</source>
        <translation>rmq-Warteschlange</translation>
    </message>
    <message>
        <source>Laravel queue</source>
        <translation>Laravel-Warteschlange</translation>
    </message>
    <message>
        <source>arq queue</source>
        <translation>arq-Warteschlange</translation>
    </message>
    <message>
        <source>Health check</source>
        <translation>Health-Check</translation>
    </message>
    <message>
        <source>dramatiq queue</source>
        <translation>dramatiq-Warteschlange</translation>
    </message>
    <message>
        <source>SAQ queue</source>
        <translation>SAQ-Warteschlange</translation>
    </message>
    <message>
        <source>RQ queue</source>
        <translation>RQ-Warteschlange</translation>
    </message>
    <message>
        <source>Sidekiq queue</source>
        <translation>Sidekiq-Warteschlange</translation>
    </message>
    <message>
        <source>Stream with consumer group</source>
        <translation>Stream mit Consumer-Gruppe</translation>
    </message>
    <message>
        <source>Auth.js verification token</source>
        <translation>Auth.js-Verifizierungstoken</translation>
    </message>
    <message>
        <source>Expires</source>
        <translation>Ablauf</translation>
    </message>
    <message>
        <source>by its value; the key has no TTL</source>
        <translation>laut seinem Wert; der Key hat keine TTL</translation>
    </message>
    <message>
        <source>has expired; the key is still there</source>
        <translation>abgelaufen; der Key ist noch da</translation>
    </message>
    <message>
        <source>No result of that task is kept in Redis</source>
        <translation>Von diesem Task wird kein Ergebnis in Redis aufbewahrt</translation>
    </message>
    <message>
        <source>Paused for</source>
        <translation>Pausiert seit</translation>
    </message>
    <message>
        <source>Attempts</source>
        <translation>Versuche</translation>
    </message>
    <message>
        <source>bee-queue</source>
        <translation>bee-queue</translation>
    </message>
    <message>
        <source>GroupMQ queue</source>
        <translation>GroupMQ-Warteschlange</translation>
    </message>
    <message>
        <source>Groups</source>
        <translation>Gruppen</translation>
    </message>
    <message>
        <source>kue queue</source>
        <translation>kue-Warteschlange</translation>
    </message>
    <message>
        <source>rsmq queue</source>
        <translation>rsmq-Warteschlange</translation>
    </message>
    <message>
        <source>Visible again after</source>
        <translation>Wieder sichtbar nach</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>Messages sent</source>
        <translation>Gesendete Nachrichten</translation>
    </message>
    <message>
        <source>Resque queue</source>
        <translation>Resque-Warteschlange</translation>
    </message>
    <message>
        <source>Processed, all queues</source>
        <translation>Verarbeitet, alle Warteschlangen</translation>
    </message>
    <message>
        <source>Failed, all queues</source>
        <translation>Fehlgeschlagen, alle Warteschlangen</translation>
    </message>
    <message>
        <source>the scheduler&apos;s lock has no TTL, owner %1</source>
        <translation>der Lock des Schedulers hat keine TTL, Besitzer %1</translation>
    </message>
    <message>
        <source>Running at the same time</source>
        <translation>Gleichzeitig laufend</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Lock in a hash</source>
        <translation>Sperre in einem Hash</translation>
    </message>
</context>
<context>
    <name>lk::LayoutFile</name>
    <message>
        <source>%1 is not a folder</source>
        <translation>%1 ist kein Ordner</translation>
    </message>
    <message>
        <source>%1: the layout %2 already exists; choose another id</source>
        <translation>%1: ein Layout %2 gibt es schon; wählen Sie eine andere ID</translation>
    </message>
    <message>
        <source>&quot;id&quot; can contain only a to z, digits and -, such as &quot;my-limiter&quot;</source>
        <translation>&quot;id&quot; enthält nur a bis z, Ziffern und -, z. B. &quot;my-limiter&quot;</translation>
    </message>
    <message>
        <source>keys are written as [[key]], once for each role; roles of the family %1: %2</source>
        <translation>Keys werden als [[key]] geschrieben, einmal für jede Rolle; Rollen der Familie %1: %2</translation>
    </message>
    <message>
        <source>&quot;name&quot; is empty</source>
        <translation>&quot;name&quot; ist leer</translation>
    </message>
    <message>
        <source>%1 is not for a %2</source>
        <translation>%1 gilt nicht für den Typ %2</translation>
    </message>
    <message>
        <source>the role &quot;%1&quot; is written twice; give its names as name = [&quot;...&quot;, &quot;...&quot;]</source>
        <translation>die Rolle &quot;%1&quot; steht zweimal da; geben Sie ihre Namen als name = [&quot;...&quot;, &quot;...&quot;] an</translation>
    </message>
    <message>
        <source>a [[key]] with role = &quot;%1&quot; is missing</source>
        <translation>ein [[key]] mit role = &quot;%1&quot; fehlt</translation>
    </message>
    <message>
        <source>the name of the main key has no placeholder %1; %2</source>
        <translation>der Name des Haupt-Keys hat keinen Platzhalter %1; %2</translation>
    </message>
    <message>
        <source>[wake_up] needs publish = &quot;a channel&quot; or push = &quot;a list&quot;</source>
        <translation>[wake_up] hat publish = &quot;a channel&quot; oder push = &quot;a list&quot;</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1: larger than 64 KiB</source>
        <translation>%1: größer als 64 KiB</translation>
    </message>
    <message>
        <source>unknown key %1; %2</source>
        <translation>unbekannter Schlüssel %1; %2</translation>
    </message>
    <message>
        <source>%1 must be a string in quotes</source>
        <translation>%1 muss eine Zeichenkette in Anführungszeichen sein</translation>
    </message>
    <message>
        <source>%1 is empty</source>
        <translation>%1 ist leer</translation>
    </message>
    <message>
        <source>%1 is missing</source>
        <translation>%1 fehlt</translation>
    </message>
    <message>
        <source>unknown %1 %2; %3</source>
        <translation>unbekannter Wert für %1: %2; %3</translation>
    </message>
    <message>
        <source>%1 must be true or false</source>
        <translation>%1 muss true oder false sein</translation>
    </message>
    <message>
        <source>%1 must be a whole number above zero, such as 5</source>
        <translation>%1 muss eine ganze Zahl über null sein, z. B. 5</translation>
    </message>
    <message>
        <source>%1 must be a table: [%2]</source>
        <translation>%1 muss eine Tabelle sein: [%2]</translation>
    </message>
    <message>
        <source>%1 is not a placeholder; write {name}, {name:digits} or, for a brace itself, {{</source>
        <translation>%1 ist kein Platzhalter; schreiben Sie {name}, {name:digits} oder, für die Klammer selbst, {{</translation>
    </message>
    <message>
        <source>unknown type in %1; known: %2</source>
        <translation>unbekannter Typ in %1; bekannt: %2</translation>
    </message>
    <message>
        <source>a { without its }; write {{ for the brace itself</source>
        <translation>ein { ohne sein }; schreiben Sie {{ für die Klammer selbst</translation>
    </message>
    <message>
        <source>it is unclear where %1 ends and %2 begins; put a literal between them</source>
        <translation>nichts verrät, wo %1 endet und %2 beginnt; setzen Sie festen Text dazwischen</translation>
    </message>
    <message>
        <source>a } without its {; write }} for the brace itself</source>
        <translation>ein } ohne sein {; schreiben Sie }} für die Klammer selbst</translation>
    </message>
    <message>
        <source>it is empty</source>
        <translation>ist leer</translation>
    </message>
    <message>
        <source>its %1 is missing: %2</source>
        <translation>%1 fehlt: %2</translation>
    </message>
    <message>
        <source>it is a %1; as %2 it would be a %3</source>
        <translation>er ist vom Typ %1; als %2 wäre er vom Typ %3</translation>
    </message>
    <message>
        <source>as %1 it does not meet &quot;%2&quot;</source>
        <translation>als %1 erfüllt er &quot;%2&quot; nicht</translation>
    </message>
    <message>
        <source>its content is not what the family %1 has</source>
        <translation>sein Inhalt ist nicht der der Familie %1</translation>
    </message>
    <message>
        <source>[wake_up] is for locks, not for the family %1</source>
        <translation>[wake_up] ist für Locks, nicht für die Familie %1</translation>
    </message>
    <message>
        <source>%1 is for job queues, not for the family %2</source>
        <translation>%1 ist für Job-Queues, nicht für die Familie %2</translation>
    </message>
    <message>
        <source>two keys are called &quot;%1&quot;; give each its own name: called = &quot;...&quot;</source>
        <translation>zwei Schlüssel heißen &quot;%1&quot;; geben Sie jedem einen eigenen Namen: called = &quot;...&quot;</translation>
    </message>
    <message>
        <source>%1 must be a word, or a number between 0 and 1, such as 0.97</source>
        <translation>%1 muss ein Wort sein oder eine Zahl zwischen 0 und 1, etwa 0.97</translation>
    </message>
</context>
<context>
    <name>lk::LayoutTrial</name>
    <message>
        <source>  … and %1 more
</source>
        <translation>  … und %1 weitere
</translation>
    </message>
    <message numerus="yes">
        <source>%Ln primitive(s) of the layout %1; %2 keys were read.
</source>
        <translation>
            <numerusform>%Ln Primitiv des Layouts %1; %2 Schlüssel wurden gelesen.
</numerusform>
            <numerusform>%Ln Primitive des Layouts %1; %2 Schlüssel wurden gelesen.
</numerusform>
        </translation>
    </message>
    <message>
        <source>Not all keys were read.
</source>
        <translation>Nicht alle Schlüssel wurden gelesen.
</translation>
    </message>
    <message numerus="yes">
        <source>
%Ln key(s) named like that are not it: %1
</source>
        <translation>
            <numerusform>
%Ln Schlüssel mit solchem Namen gehört nicht dazu: %1
</numerusform>
            <numerusform>
%Ln Schlüssel mit solchem Namen gehören nicht dazu: %1
</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lk::LayoutsCommand</name>
    <message>
        <source>built in</source>
        <translation>eingebaut</translation>
    </message>
    <message>
        <source>LAYOUT</source>
        <translation>LAYOUT</translation>
    </message>
    <message>
        <source>KIND</source>
        <translation>ART</translation>
    </message>
    <message>
        <source>FAMILY</source>
        <translation>FAMILIE</translation>
    </message>
    <message>
        <source>LIBRARY</source>
        <translation>BIBLIOTHEK</translation>
    </message>
    <message>
        <source>SOURCE</source>
        <translation>QUELLE</translation>
    </message>
    <message>
        <source>%1: the layout %2, a %3 of the family %4
</source>
        <translation>%1: das Layout %2, %3 der Familie %4
</translation>
    </message>
</context>
<context>
    <name>lk::LifeDialog</name>
    <message>
        <source>What happened – Lockkeeper</source>
        <translation>Was geschehen ist – Lockkeeper</translation>
    </message>
    <message>
        <source>What happened</source>
        <translation>Was geschehen ist</translation>
    </message>
    <message>
        <source>Last hour</source>
        <translation>Letzte Stunde</translation>
    </message>
    <message>
        <source>Last 24 hours</source>
        <translation>Letzte 24 Stunden</translation>
    </message>
    <message>
        <source>Last 7 days</source>
        <translation>Letzte 7 Tage</translation>
    </message>
    <message>
        <source>Everything recorded</source>
        <translation>Alles Aufgezeichnete</translation>
    </message>
    <message>
        <source>Time span</source>
        <translation>Zeitspanne</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>Filter</translation>
    </message>
    <message>
        <source>Filter what happened</source>
        <translation>Ereignisse filtern</translation>
    </message>
    <message>
        <source>Depth</source>
        <translation>Länge</translation>
    </message>
    <message>
        <source>jobs</source>
        <translation>Jobs</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>wartend</translation>
    </message>
    <message>
        <source>in progress</source>
        <translation>in Arbeit</translation>
    </message>
    <message>
        <source>dead letters</source>
        <translation>Dead Letters</translation>
    </message>
    <message>
        <source>Used</source>
        <translation>Belegt</translation>
    </message>
    <message>
        <source>requests in the window</source>
        <translation>Anfragen im Fenster</translation>
    </message>
    <message>
        <source>used</source>
        <translation>belegt</translation>
    </message>
    <message>
        <source>limit %1</source>
        <translation>Limit %1</translation>
    </message>
    <message>
        <source>TTL</source>
        <translation>TTL</translation>
    </message>
    <message>
        <source>until the lock expires</source>
        <translation>bis das Lock abläuft</translation>
    </message>
    <message>
        <source>Who held it</source>
        <translation>Wer es gehalten hat</translation>
    </message>
    <message>
        <source>&amp;Show this moment</source>
        <translation>Diesen Zeitpunkt &amp;zeigen</translation>
    </message>
    <message>
        <source>All boards as they were then (Return)</source>
        <translation>Alle Boards, wie sie damals waren (Return)</translation>
    </message>
    <message>
        <source>&amp;Copy as text</source>
        <translation>Als Text &amp;kopieren</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Report as PNG…</source>
        <translation>Bericht als PNG…</translation>
    </message>
    <message>
        <source>Save the report</source>
        <translation>Bericht speichern</translation>
    </message>
    <message>
        <source>Pictures (*.png)</source>
        <translation>Bilder (*.png)</translation>
    </message>
    <message>
        <source>List as text…</source>
        <translation>Liste als Text…</translation>
    </message>
    <message>
        <source>Save the list</source>
        <translation>Liste speichern</translation>
    </message>
    <message>
        <source>Text (*.txt)</source>
        <translation>Text (*.txt)</translation>
    </message>
    <message>
        <source>List as CSV…</source>
        <translation>Liste als CSV…</translation>
    </message>
    <message>
        <source>C&amp;lose</source>
        <translation>Schl&amp;ießen</translation>
    </message>
    <message numerus="yes">
        <source>%Ln line(s)</source>
        <translation>
            <numerusform>%Ln Zeile</numerusform>
            <numerusform>%Ln Zeilen</numerusform>
        </translation>
    </message>
    <message>
        <source>Reading the recording…</source>
        <translation>Die Aufzeichnung wird gelesen…</translation>
    </message>
    <message>
        <source>Nothing matches</source>
        <translation>Keine Treffer</translation>
    </message>
    <message>
        <source>No line matches the filter. Clear it to see all.</source>
        <translation>Keine Zeile passt zum Filter. Leeren Sie ihn, um alle zu sehen.</translation>
    </message>
    <message>
        <source>Nothing happened</source>
        <translation>Nichts ist geschehen</translation>
    </message>
    <message>
        <source>Holds, stuck jobs, limits reached, findings and actions would appear here. Choose a longer time span to see older ones.</source>
        <translation>Haltezeiten, hängende Jobs, erreichte Limits, Befunde und Aktionen würden hier erscheinen. Wählen Sie eine längere Zeitspanne, um ältere zu sehen.</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>what happened</source>
        <translation>was geschehen ist</translation>
    </message>
    <message>
        <source>%1 (%2), %3 – %4 %5</source>
        <translation>%1 (%2), %3 – %4 %5</translation>
    </message>
    <message>
        <source>What happened: %1</source>
        <translation>Was geschehen ist: %1</translation>
    </message>
    <message numerus="yes">
        <source>and %Ln more</source>
        <translation>
            <numerusform>und %Ln weitere</numerusform>
            <numerusform>und %Ln weitere</numerusform>
        </translation>
    </message>
    <message>
        <source>An hour before and after</source>
        <translation>Eine Stunde davor und danach</translation>
    </message>
</context>
<context>
    <name>lk::LifeModel</name>
    <message>
        <source>When</source>
        <translation>Wann</translation>
    </message>
    <message>
        <source>What happened</source>
        <translation>Was geschehen ist</translation>
    </message>
</context>
<context>
    <name>lk::LimiterBody</name>
    <message>
        <source>remaining</source>
        <translation>übrig</translation>
    </message>
    <message>
        <source>next free</source>
        <translation>wieder frei</translation>
    </message>
    <message>
        <source>retry after</source>
        <translation>Retry-After</translation>
    </message>
    <message>
        <source>Consumers</source>
        <translation>Consumer</translation>
    </message>
    <message>
        <source>Cluster slots</source>
        <translation>Cluster-Slots</translation>
    </message>
    <message>
        <source>Used</source>
        <translation>Belegt</translation>
    </message>
    <message>
        <source>requests in the window</source>
        <translation>Anfragen im Fenster</translation>
    </message>
    <message>
        <source>used</source>
        <translation>belegt</translation>
    </message>
    <message>
        <source>Retry after</source>
        <translation>Retry-After</translation>
    </message>
    <message>
        <source>what a rejected client is told</source>
        <translation>was ein abgewiesener Client erfährt</translation>
    </message>
    <message>
        <source>limit %1</source>
        <translation>Limit %1</translation>
    </message>
    <message>
        <source>Consumers (%1)</source>
        <translation>Consumer (%1)</translation>
    </message>
    <message>
        <source>used in %1</source>
        <translation>belegt in %1</translation>
    </message>
    <message>
        <source>recorded; window unknown</source>
        <translation>aufgezeichnet; Fenster unbekannt</translation>
    </message>
    <message>
        <source>now</source>
        <translation>jetzt</translation>
    </message>
    <message>
        <source>Algorithm</source>
        <translation>Algorithmus</translation>
    </message>
    <message>
        <source>Limit</source>
        <translation>Limit</translation>
    </message>
    <message>
        <source>not stored</source>
        <translation>nicht gespeichert</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>Fenster</translation>
    </message>
</context>
<context>
    <name>lk::LockBody</name>
    <message>
        <source>TTL</source>
        <translation>TTL</translation>
    </message>
    <message>
        <source>held for at least</source>
        <translation>gehalten seit mindestens</translation>
    </message>
    <message>
        <source>renewals seen</source>
        <translation>Verlängerungen gesehen</translation>
    </message>
    <message>
        <source>holds</source>
        <translation>Belegungen</translation>
    </message>
    <message>
        <source>Who held it</source>
        <translation>Wer es gehalten hat</translation>
    </message>
    <message>
        <source>until the lock expires</source>
        <translation>bis das Lock abläuft</translation>
    </message>
    <message>
        <source>no TTL</source>
        <translation>ohne TTL</translation>
    </message>
    <message>
        <source>Locks expiring, all</source>
        <translation>Ablauf der Locks, alle</translation>
    </message>
    <message>
        <source>locks</source>
        <translation>Locks</translation>
    </message>
    <message>
        <source>expired</source>
        <translation>abgelaufen</translation>
    </message>
    <message>
        <source>nobody</source>
        <translation>niemand</translation>
    </message>
    <message>
        <source>not stored in the value</source>
        <translation>nicht im Wert gespeichert</translation>
    </message>
    <message>
        <source>Owner</source>
        <translation>Besitzer</translation>
    </message>
    <message>
        <source>not stored by this kind of lock</source>
        <translation>wird von dieser Art Lock nicht gespeichert</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>Wartend</translation>
    </message>
    <message>
        <source>permits used</source>
        <translation>belegte Permits</translation>
    </message>
    <message numerus="yes">
        <source>%Ln readers</source>
        <translation>
            <numerusform>%Ln Leser</numerusform>
            <numerusform>%Ln Leser</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln holders</source>
        <translation>
            <numerusform>%Ln Halter</numerusform>
            <numerusform>%Ln Halter</numerusform>
        </translation>
    </message>
    <message>
        <source>Part of</source>
        <translation>Teil von</translation>
    </message>
    <message numerus="yes">
        <source>and %Ln more</source>
        <translation>
            <numerusform>und %Ln weiterer</numerusform>
            <numerusform>und %Ln weitere</numerusform>
        </translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>unbekannt</translation>
    </message>
</context>
<context>
    <name>lk::LockTimeline</name>
    <message>
        <source>Holders</source>
        <translation>Halter</translation>
    </message>
    <message>
        <source>who held the lock, and until when</source>
        <translation>wer das Lock gehalten hat und bis wann</translation>
    </message>
    <message>
        <source>owner unknown</source>
        <translation>Besitzer unbekannt</translation>
    </message>
    <message>
        <source>from %1</source>
        <translation>ab %1</translation>
    </message>
    <message>
        <source>already held at %1</source>
        <translation>um %1 schon gehalten</translation>
    </message>
    <message>
        <source>held for %1</source>
        <translation>seit %1 gehalten</translation>
    </message>
    <message>
        <source>held when last read, at %1, for %2</source>
        <translation>beim letzten Lesen um %1 gehalten, seit %2</translation>
    </message>
    <message>
        <source>until %1, %2</source>
        <translation>bis %1, %2</translation>
    </message>
    <message>
        <source>no TTL: it never expires</source>
        <translation>ohne TTL: läuft nie ab</translation>
    </message>
    <message>
        <source>expires %1</source>
        <translation>Ablauf: %1</translation>
    </message>
    <message numerus="yes">
        <source>%Ln renewal(s) seen</source>
        <translation>
            <numerusform>%Ln Verlängerung gesehen</numerusform>
            <numerusform>%Ln Verlängerungen gesehen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln lock(s)</source>
        <translation>
            <numerusform>%Ln Lock</numerusform>
            <numerusform>%Ln Locks</numerusform>
        </translation>
    </message>
    <message>
        <source>No owner seen yet</source>
        <translation>Noch kein Besitzer gesehen</translation>
    </message>
    <message>
        <source>no TTL</source>
        <translation>ohne TTL</translation>
    </message>
    <message>
        <source>Loading…</source>
        <translation>Wird geladen…</translation>
    </message>
</context>
<context>
    <name>lk::MainWindow</name>
    <message>
        <source>Lockkeeper</source>
        <translation>Lockkeeper</translation>
    </message>
    <message>
        <source>Code not shown: %1</source>
        <translation>Code nicht angezeigt: %1</translation>
    </message>
    <message>
        <source>Job ages will be lost on restart: %1</source>
        <translation>Das Alter der Jobs geht beim Neustart verloren: %1</translation>
    </message>
    <message>
        <source>%1 – Lockkeeper</source>
        <translation>%1 – Lockkeeper</translation>
    </message>
    <message>
        <source>Write mode: this window can change %1</source>
        <translation>Schreibmodus: Dieses Fenster kann %1 ändern</translation>
    </message>
    <message>
        <source>Write mode: %1</source>
        <translation>Schreibmodus: %1</translation>
    </message>
</context>
<context>
    <name>lk::MemoryLimit</name>
    <message>
        <source>the memory limit of %1 was reached</source>
        <translation>das Speicherlimit von %1 wurde erreicht</translation>
    </message>
</context>
<context>
    <name>lk::Moment</name>
    <message>
        <source>&quot;%1&quot; is not a time; use a form such as 2026-03-01T03:12, 03:12, -2h or now</source>
        <translation>&quot;%1&quot; ist keine Zeitangabe; Formen wie 2026-03-01T03:12, 03:12, -2h oder now verwenden</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not in the future; use a form such as +2h, 06:00 or 2026-03-01T06:00</source>
        <translation>„%1“ liegt nicht in der Zukunft; verwenden Sie eine Form wie +2h, 06:00 oder 2026-03-01T06:00</translation>
    </message>
</context>
<context>
    <name>lk::Monitor</name>
    <message>
        <source>the queue is gone</source>
        <translation>die Warteschlange gibt es nicht mehr</translation>
    </message>
    <message>
        <source>it is no longer detected as this queue</source>
        <translation>wird nicht mehr als diese Warteschlange erkannt</translation>
    </message>
</context>
<context>
    <name>lk::NavigationBar</name>
    <message>
        <source>Boards</source>
        <translation>Boards</translation>
    </message>
</context>
<context>
    <name>lk::NodeEntry</name>
    <message>
        <source>The certificate is for %1 and is trusted</source>
        <translation>Das Zertifikat gilt für %1 und ist vertrauenswürdig</translation>
    </message>
    <message>
        <source>As user %1</source>
        <translation>Als Benutzer %1</translation>
    </message>
    <message>
        <source>No password is required</source>
        <translation>Kein Passwort erforderlich</translation>
    </message>
    <message>
        <source>With a password</source>
        <translation>Mit Passwort</translation>
    </message>
</context>
<context>
    <name>lk::NodeModel</name>
    <message>
        <source>replica</source>
        <translation>Replikat</translation>
    </message>
    <message>
        <source>master</source>
        <translation>Master</translation>
    </message>
    <message>
        <source>down</source>
        <translation>ausgefallen</translation>
    </message>
    <message>
        <source>does not answer</source>
        <translation>antwortet nicht</translation>
    </message>
    <message>
        <source>hottest</source>
        <translation>höchste Last</translation>
    </message>
    <message>
        <source>up</source>
        <translation>läuft</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>Role</source>
        <translation>Rolle</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Slots</source>
        <translation>Slots</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>Keys</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Commands/s</source>
        <translation>Befehle/s</translation>
    </message>
    <message>
        <source>Clients</source>
        <translation>Clients</translation>
    </message>
    <message>
        <source>Lag</source>
        <translation>Rückstand</translation>
    </message>
    <message>
        <source>Durability</source>
        <translation>Dauerhaftigkeit</translation>
    </message>
</context>
<context>
    <name>lk::NodeTable</name>
    <message>
        <source>Nodes</source>
        <translation>Knoten</translation>
    </message>
</context>
<context>
    <name>lk::NotifyCommand</name>
    <message>
        <source>%1 cannot be started: %2</source>
        <translation>%1 lässt sich nicht starten: %2</translation>
    </message>
    <message>
        <source>exit code %1</source>
        <translation>Exit-Code %1</translation>
    </message>
    <message>
        <source>timed out and was stopped</source>
        <translation>Zeitlimit überschritten, wurde beendet</translation>
    </message>
    <message>
        <source>killed by a signal</source>
        <translation>durch ein Signal beendet</translation>
    </message>
</context>
<context>
    <name>lk::OutcomeCheck</name>
    <message>
        <source>the job is in %1</source>
        <translation>der Job ist in %1</translation>
    </message>
    <message>
        <source>the job is not in %1</source>
        <translation>der Job ist nicht in %1</translation>
    </message>
    <message>
        <source>the job is not within %1 jobs of either end of %2</source>
        <translation>der Job ist nicht unter den %1 Jobs an Anfang oder Ende von %2</translation>
    </message>
    <message>
        <source>%1 of %2 jobs are in %3</source>
        <translation>%1 von %2 Jobs sind in %3</translation>
    </message>
    <message>
        <source>TTL %1</source>
        <translation>TTL %1</translation>
    </message>
    <message>
        <source>no TTL</source>
        <translation>ohne TTL</translation>
    </message>
    <message>
        <source>%1 is free</source>
        <translation>%1 ist frei</translation>
    </message>
    <message>
        <source>%1 has expired</source>
        <translation>%1 ist abgelaufen</translation>
    </message>
    <message>
        <source>%1 is held, %2</source>
        <translation>%1 wird gehalten, %2</translation>
    </message>
    <message>
        <source>%1 is still held by %2, %3</source>
        <translation>%1 wird noch von %2 gehalten, %3</translation>
    </message>
    <message>
        <source>%1 is held by %2, %3</source>
        <translation>%1 wird von %2 gehalten, %3</translation>
    </message>
    <message>
        <source>%1 could not be read: %2</source>
        <translation>%1 konnte nicht gelesen werden: %2</translation>
    </message>
    <message>
        <source>%1 does not exist</source>
        <translation>%1 existiert nicht</translation>
    </message>
    <message>
        <source>%1 exists (%2, %3)</source>
        <translation>%1 existiert (%2, %3)</translation>
    </message>
    <message>
        <source>could not be read: %1</source>
        <translation>konnte nicht gelesen werden: %1</translation>
    </message>
</context>
<context>
    <name>lk::Output</name>
    <message>
        <source>Standard output cannot be written: %1</source>
        <translation>Die Standardausgabe kann nicht geschrieben werden: %1</translation>
    </message>
    <message>
        <source>its reader has exited</source>
        <translation>ihr Leser ist beendet</translation>
    </message>
</context>
<context>
    <name>lk::OverviewPage</name>
    <message>
        <source>none detected</source>
        <translation>nichts erkannt</translation>
    </message>
    <message>
        <source>used</source>
        <translation>verbraucht</translation>
    </message>
    <message>
        <source>expired</source>
        <translation>abgelaufen</translation>
    </message>
    <message>
        <source>revoked</source>
        <translation>widerrufen</translation>
    </message>
    <message>
        <source>deleted</source>
        <translation>gelöscht</translation>
    </message>
    <message>
        <source>none ended yet</source>
        <translation>noch keine beendet</translation>
    </message>
    <message>
        <source>Ended: %1</source>
        <translation>Beendet: %1</translation>
    </message>
    <message>
        <source>Needs attention</source>
        <translation>Handlungsbedarf</translation>
    </message>
    <message>
        <source>Nothing needs attention right now.</source>
        <translation>Im Moment besteht kein Handlungsbedarf.</translation>
    </message>
    <message>
        <source>Fullest limiters</source>
        <translation>Vollste Limiter</translation>
    </message>
    <message>
        <source>Busiest limiters</source>
        <translation>Meistgenutzte Limiter</translation>
    </message>
    <message>
        <source>Deepest queues</source>
        <translation>Längste Warteschlangen</translation>
    </message>
    <message>
        <source>All queues are empty.</source>
        <translation>Alle Warteschlangen sind leer.</translation>
    </message>
    <message>
        <source>Locks expiring</source>
        <translation>Ablauf der Locks</translation>
    </message>
    <message>
        <source>locks</source>
        <translation>Locks</translation>
    </message>
    <message>
        <source>Live tokens expiring</source>
        <translation>Ablauf aktiver Tokens</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>Tokens</translation>
    </message>
    <message>
        <source>Tokens that ended since the console started.
Revoked: by this console.
Deleted: before their TTL, by other clients; used or revoked.</source>
        <translation>Tokens, die seit dem Start der Konsole beendet wurden.
Widerrufen: von dieser Konsole.
Gelöscht: vor Ablauf der TTL durch andere Clients; eingelöst oder widerrufen.</translation>
    </message>
    <message>
        <source>Open the board %1</source>
        <translation>Board %1 öffnen</translation>
    </message>
    <message>
        <source>open these on the board %1</source>
        <translation>auf dem Board %1 öffnen</translation>
    </message>
    <message>
        <source>Some need attention</source>
        <translation>Teils mit Handlungsbedarf</translation>
    </message>
    <message>
        <source>Opens the board, most severe first</source>
        <translation>Öffnet das Board, schwerste zuerst</translation>
    </message>
    <message>
        <source>Opens the board, filtered by %1</source>
        <translation>Öffnet das Board, gefiltert nach %1</translation>
    </message>
    <message>
        <source>Needs attention (%1)</source>
        <translation>Handlungsbedarf (%1)</translation>
    </message>
    <message>
        <source>Nothing detected</source>
        <translation>Nichts erkannt</translation>
    </message>
    <message>
        <source>Overview</source>
        <translation>Übersicht</translation>
    </message>
    <message>
        <source>No limiter is in use.</source>
        <translation>Kein Limiter ist in Gebrauch.</translation>
    </message>
    <message>
        <source>none so far</source>
        <translation>bisher keine</translation>
    </message>
    <message>
        <source>Progress of the first scan</source>
        <translation>Fortschritt des ersten Scans</translation>
    </message>
    <message>
        <source>Opens the board with these limiters: each can be declared</source>
        <translation>Öffnet das Board mit diesen Limitern: Jeder kann deklariert werden</translation>
    </message>
    <message>
        <source>First scan: %1</source>
        <translation>Erster Scan: %1</translation>
    </message>
    <message>
        <source>No limiter with a known limit is in use.</source>
        <translation>Kein Limiter mit bekanntem Limit ist in Gebrauch.</translation>
    </message>
    <message>
        <source>No limiter was seen to count requests.</source>
        <translation>Kein Limiter hat erkennbar Anfragen gezählt.</translation>
    </message>
    <message numerus="yes">
        <source>The limits of %Ln limiter(s) are not known…</source>
        <translation>
            <numerusform>Das Limit von %Ln Limiter ist nicht bekannt…</numerusform>
            <numerusform>Die Limits von %Ln Limitern sind nicht bekannt…</numerusform>
        </translation>
    </message>
    <message>
        <source>Needs attention (%1 so far)</source>
        <translation>Erfordert Aufmerksamkeit (bisher %1)</translation>
    </message>
</context>
<context>
    <name>lk::ParameterForm</name>
    <message numerus="yes">
        <source>Only the %Ln &amp;selected job(s)</source>
        <translation>
            <numerusform>Nur den %Ln ausge&amp;wählten Job</numerusform>
            <numerusform>Nur die %Ln ausge&amp;wählten Jobs</numerusform>
        </translation>
    </message>
    <message>
        <source>optional</source>
        <translation>optional</translation>
    </message>
    <message>
        <source>a whole number, 1 or more</source>
        <translation>eine ganze Zahl ab 1</translation>
    </message>
    <message>
        <source>valid JSON</source>
        <translation>gültiges JSON</translation>
    </message>
    <message>
        <source>not JSON; sent as it is</source>
        <translation>kein JSON; wird unverändert gesendet</translation>
    </message>
</context>
<context>
    <name>lk::PasswordDialog</name>
    <message>
        <source>Log in – Lockkeeper</source>
        <translation>Anmelden – Lockkeeper</translation>
    </message>
    <message>
        <source>Log in</source>
        <translation>Anmelden</translation>
    </message>
    <message>
        <source>Log in to %1</source>
        <translation>Bei %1 anmelden</translation>
    </message>
    <message>
        <source>default</source>
        <translation>default</translation>
    </message>
    <message>
        <source>User</source>
        <translation>Benutzer</translation>
    </message>
    <message>
        <source>Password</source>
        <translation>Passwort</translation>
    </message>
    <message>
        <source>&amp;User</source>
        <translation>Ben&amp;utzer</translation>
    </message>
    <message>
        <source>&amp;Password</source>
        <translation>&amp;Passwort</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>&amp;Log in</source>
        <translation>&amp;Anmelden</translation>
    </message>
    <message>
        <source>Enter the password first.</source>
        <translation>Geben Sie zuerst das Passwort ein.</translation>
    </message>
</context>
<context>
    <name>lk::PasswordField</name>
    <message>
        <source>&amp;Paste</source>
        <translation>E&amp;infügen</translation>
    </message>
    <message>
        <source>&amp;Clear</source>
        <translation>&amp;Leeren</translation>
    </message>
</context>
<context>
    <name>lk::Pattern</name>
    <message>
        <source>page</source>
        <translation>Seite</translation>
    </message>
    <message>
        <source>pages</source>
        <translation>Seiten</translation>
    </message>
    <message>
        <source>item</source>
        <translation>Eintrag</translation>
    </message>
    <message>
        <source>items</source>
        <translation>Einträge</translation>
    </message>
    <message>
        <source>user</source>
        <translation>Nutzer</translation>
    </message>
    <message>
        <source>users</source>
        <translation>Nutzer</translation>
    </message>
    <message>
        <source>member</source>
        <translation>Element</translation>
    </message>
    <message>
        <source>members</source>
        <translation>Elemente</translation>
    </message>
    <message>
        <source>record</source>
        <translation>Datensatz</translation>
    </message>
    <message>
        <source>records</source>
        <translation>Datensätze</translation>
    </message>
    <message>
        <source>byte</source>
        <translation>Byte</translation>
    </message>
    <message>
        <source>bytes</source>
        <translation>Bytes</translation>
    </message>
</context>
<context>
    <name>lk::PatternBody</name>
    <message>
        <source>holds</source>
        <translation>Anzahl</translation>
    </message>
    <message>
        <source>time left</source>
        <translation>Restzeit</translation>
    </message>
    <message>
        <source>no TTL</source>
        <translation>ohne TTL</translation>
    </message>
    <message>
        <source>per minute</source>
        <translation>pro Minute</translation>
    </message>
    <message>
        <source>since last taken</source>
        <translation>seit der letzten Entnahme</translation>
    </message>
    <message>
        <source>Count</source>
        <translation>Anzahl</translation>
    </message>
    <message>
        <source>Active</source>
        <translation>Aktiv</translation>
    </message>
    <message>
        <source>users in the newest key</source>
        <translation>Nutzer im neuesten Key</translation>
    </message>
    <message>
        <source>Holds</source>
        <translation>Enthält</translation>
    </message>
    <message>
        <source>Counts per minute</source>
        <translation>Zählungen pro Minute</translation>
    </message>
    <message>
        <source>at least, over the last minute</source>
        <translation>mindestens, über die letzte Minute</translation>
    </message>
    <message>
        <source>Time left</source>
        <translation>Restzeit</translation>
    </message>
    <message>
        <source>restarts with each page</source>
        <translation>beginnt mit jeder Seite neu</translation>
    </message>
    <message>
        <source>until it is rebuilt</source>
        <translation>bis zum Neuaufbau</translation>
    </message>
    <message>
        <source>Rotations per minute</source>
        <translation>Umläufe pro Minute</translation>
    </message>
</context>
<context>
    <name>lk::PatternModel</name>
    <message>
        <source>due now</source>
        <translation>jetzt fällig</translation>
    </message>
    <message>
        <source>next</source>
        <translation>als Nächstes</translation>
    </message>
    <message>
        <source>(empty)</source>
        <translation>(leer)</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>No.</source>
        <translation>Nr.</translation>
    </message>
    <message>
        <source>Chance</source>
        <translation>Chance</translation>
    </message>
    <message>
        <source>Users active</source>
        <translation>Aktive Nutzer</translation>
    </message>
    <message>
        <source>Member</source>
        <translation>Element</translation>
    </message>
    <message>
        <source>Page</source>
        <translation>Seite</translation>
    </message>
    <message>
        <source>Period</source>
        <translation>Zeitraum</translation>
    </message>
    <message>
        <source>Record</source>
        <translation>Datensatz</translation>
    </message>
    <message>
        <source>Item</source>
        <translation>Eintrag</translation>
    </message>
    <message>
        <source>Position</source>
        <translation>Platz</translation>
    </message>
</context>
<context>
    <name>lk::PatternTexts</name>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>counted</source>
        <translation>gezählt</translation>
    </message>
    <message>
        <source>never</source>
        <translation>nie</translation>
    </message>
    <message>
        <source>expires in</source>
        <translation>läuft ab in</translation>
    </message>
    <message>
        <source>rebuild lock</source>
        <translation>Rebuild-Lock</translation>
    </message>
    <message>
        <source>held</source>
        <translation>gehalten</translation>
    </message>
    <message>
        <source>no TTL</source>
        <translation>ohne TTL</translation>
    </message>
    <message>
        <source>expired</source>
        <translation>abgelaufen</translation>
    </message>
    <message>
        <source>free</source>
        <translation>frei</translation>
    </message>
    <message>
        <source>users in the newest key</source>
        <translation>Nutzer im neuesten Key</translation>
    </message>
    <message>
        <source>different users in the last %1</source>
        <translation>verschiedene Nutzer in den letzten %1</translation>
    </message>
    <message>
        <source>keys</source>
        <translation>Keys</translation>
    </message>
    <message>
        <source>in use of the first %1</source>
        <translation>belegt von den ersten %1</translation>
    </message>
    <message>
        <source>in use</source>
        <translation>belegt</translation>
    </message>
    <message>
        <source>size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>per full rotation</source>
        <translation>pro voller Rotation</translation>
    </message>
    <message>
        <source>since the last page</source>
        <translation>seit der letzten Seite</translation>
    </message>
    <message>
        <source>most likely</source>
        <translation>größte Chance</translation>
    </message>
    <message>
        <source>all weights</source>
        <translation>Summe der Gewichte</translation>
    </message>
    <message>
        <source>per minute</source>
        <translation>pro Minute</translation>
    </message>
    <message>
        <source>Pages, the newest first</source>
        <translation>Seiten, die neuesten zuerst</translation>
    </message>
    <message>
        <source>Pages, the newest %1 of %2</source>
        <translation>Seiten, die neuesten %1 von %2</translation>
    </message>
    <message>
        <source>Cached items</source>
        <translation>Gecachte Einträge</translation>
    </message>
    <message>
        <source>Cached items, the first %1 of %2</source>
        <translation>Gecachte Einträge, die ersten %1 von %2</translation>
    </message>
    <message>
        <source>Active users, the newest key first</source>
        <translation>Aktive Nutzer, der neueste Key zuerst</translation>
    </message>
    <message>
        <source>Active users, the newest %1 of %2 keys</source>
        <translation>Aktive Nutzer, die neuesten %1 von %2 Keys</translation>
    </message>
    <message>
        <source>Records</source>
        <translation>Datensätze</translation>
    </message>
    <message>
        <source>Records, the first %1 of %2</source>
        <translation>Datensätze, die ersten %1 von %2</translation>
    </message>
    <message>
        <source>Redis does not store the record size: declare it as &quot;record&quot; in the configuration file to see the records.</source>
        <translation>Redis speichert die Datensatzgröße nicht: Deklarieren Sie sie als &quot;record&quot; in der Konfigurationsdatei, um die Datensätze zu sehen.</translation>
    </message>
    <message>
        <source>An item is %1: too large to read regularly.</source>
        <translation>Ein Eintrag ist %1 groß: zu groß, um regelmäßig gelesen zu werden.</translation>
    </message>
    <message>
        <source>rotations per minute</source>
        <translation>Umläufe pro Minute</translation>
    </message>
    <message>
        <source>Rotation order</source>
        <translation>Reihenfolge</translation>
    </message>
    <message>
        <source>Rotation order, %1 of %2</source>
        <translation>Reihenfolge, %1 von %2</translation>
    </message>
    <message>
        <source>Chance of each member</source>
        <translation>Chance jedes Mitglieds</translation>
    </message>
    <message>
        <source>Chance of each member, %1 of %2</source>
        <translation>Chance jedes Mitglieds, %1 von %2</translation>
    </message>
    <message>
        <source>What is stored in it is not recorded, only its size.</source>
        <translation>Was darin steht, wird nicht aufgezeichnet, nur die Größe.</translation>
    </message>
</context>
<context>
    <name>lk::Permissions</name>
    <message>
        <source>The connection has no name in CLIENT LIST, or is checked less thoroughly.</source>
        <translation>Die Verbindung hat keinen Namen in CLIENT LIST oder wird weniger gut geprüft.</translation>
    </message>
    <message>
        <source>Only database 0 can be opened.</source>
        <translation>Nur Datenbank 0 kann geöffnet werden.</translation>
    </message>
    <message>
        <source>Server board: version, role, memory, replication and persistence are unknown.</source>
        <translation>Server-Board: Version, Rolle, Speicher, Replikation und Persistenz sind unbekannt.</translation>
    </message>
    <message>
        <source>Server board: durability is unknown. Changes are not noticed by keyspace notifications.</source>
        <translation>Server-Board: Die Dauerhaftigkeit ist unbekannt. Änderungen werden nicht über Keyspace-Notifications bemerkt.</translation>
    </message>
    <message>
        <source>No key is detected: only those that the configuration names are read.</source>
        <translation>Kein Key wird erkannt: Gelesen werden nur die, die in der Konfiguration stehen.</translation>
    </message>
    <message>
        <source>Not detected, or not all: %1.</source>
        <translation>Nicht oder nicht alle erkannt: %1.</translation>
    </message>
    <message>
        <source>Not read, or not in full: %1.</source>
        <translation>Nicht oder nicht ganz gelesen: %1.</translation>
    </message>
    <message>
        <source>The memory of keys is unknown.</source>
        <translation>Der Speicherbedarf von Keys ist unbekannt.</translation>
    </message>
    <message>
        <source>Queues: workers that are known by their connections are not shown.</source>
        <translation>Warteschlangen: Worker, die nur an ihren Verbindungen zu erkennen sind, werden nicht angezeigt.</translation>
    </message>
    <message>
        <source>Changes are found by polling only.</source>
        <translation>Änderungen werden nur durch Polling bemerkt.</translation>
    </message>
    <message>
        <source>Reading marks keys as recently used.</source>
        <translation>Das Lesen markiert Keys als kürzlich benutzt.</translation>
    </message>
    <message>
        <source>No action can run.</source>
        <translation>Keine Aktion kann ausgeführt werden.</translation>
    </message>
    <message>
        <source>Actions that need it are refused: %1.</source>
        <translation>Aktionen, die den Befehl brauchen, werden abgelehnt: %1.</translation>
    </message>
    <message>
        <source>Actions cannot be undone.</source>
        <translation>Aktionen können nicht rückgängig gemacht werden.</translation>
    </message>
    <message>
        <source>Server board: the hottest slots of a cluster are unknown.</source>
        <translation>Server-Board: Die heißesten Slots eines Clusters sind unbekannt.</translation>
    </message>
    <message>
        <source>Times are not from the server&apos;s clock. No action can run.</source>
        <translation>Zeiten stammen nicht von der Uhr des Servers. Keine Aktion kann ausgeführt werden.</translation>
    </message>
    <message>
        <source>The progress of scans is unknown.</source>
        <translation>Der Fortschritt von Scans ist unbekannt.</translation>
    </message>
    <message>
        <source>A missing permission for an action shows only when it is refused.</source>
        <translation>Dass eine Berechtigung für eine Aktion fehlt, zeigt sich erst, wenn sie abgelehnt wird.</translation>
    </message>
    <message>
        <source>Some actions cannot be planned, or their outcome cannot be checked.</source>
        <translation>Manche Aktionen können nicht geplant oder ihr Ergebnis nicht geprüft werden.</translation>
    </message>
    <message>
        <source>Without CLUSTER NODES as well, it is unknown which node of a cluster answers.</source>
        <translation>Fehlt auch CLUSTER NODES, ist nicht bekannt, welcher Knoten eines Clusters antwortet.</translation>
    </message>
    <message>
        <source>Keys in a cluster slot that is being migrated are not read.</source>
        <translation>Keys in einem Slot, der gerade migriert wird, werden nicht gelesen.</translation>
    </message>
    <message>
        <source>A replica of a cluster that is opened with ?cluster=no cannot be read.</source>
        <translation>Ein Replikat eines Clusters, das mit ?cluster=no geöffnet wird, kann nicht gelesen werden.</translation>
    </message>
    <message>
        <source>In a cluster, it is unknown which slots are being migrated. Without CLUSTER SHARDS and CLUSTER SLOTS as well, its other masters are not read at all, and check exits with 2.</source>
        <translation>Von einem Cluster ist nicht bekannt, welche Slots gerade migriert werden. Fehlen auch CLUSTER SHARDS und CLUSTER SLOTS, werden seine anderen Master gar nicht gelesen, und check endet mit 2.</translation>
    </message>
    <message>
        <source>Without CLUSTER NODES as well, it is unknown which nodes of a cluster have failed.</source>
        <translation>Fehlt auch CLUSTER NODES, ist nicht bekannt, welche Knoten eines Clusters ausgefallen sind.</translation>
    </message>
    <message>
        <source>Without CLUSTER NODES and CLUSTER SHARDS as well, the other masters of a cluster are not read at all, and check exits with 2.</source>
        <translation>Fehlen auch CLUSTER NODES und CLUSTER SHARDS, werden die anderen Master eines Clusters gar nicht gelesen, und check endet mit 2.</translation>
    </message>
</context>
<context>
    <name>lk::PlanDialog</name>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>&amp;Replan (F5)</source>
        <translation>&amp;Neu planen (F5)</translation>
    </message>
    <message>
        <source>Replan</source>
        <translation>Neu planen</translation>
    </message>
    <message>
        <source>&amp;Turn on write mode…</source>
        <translation>&amp;Schreibmodus einschalten…</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>Schl&amp;ießen</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
</context>
<context>
    <name>lk::PlanView</name>
    <message numerus="yes">
        <source>and %Ln more</source>
        <translation>
            <numerusform>und %Ln weiterer</numerusform>
            <numerusform>und %Ln weitere</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2: %3</source>
        <translation>%1 von %2: %3</translation>
    </message>
    <message>
        <source>each is unchanged</source>
        <translation>jedes Ziel unverändert ist</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>Server</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>Keys</translation>
    </message>
    <message>
        <source>Current state</source>
        <translation>Aktueller Zustand</translation>
    </message>
    <message>
        <source>Only if</source>
        <translation>Nur wenn</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Führt aus</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig machen</translation>
    </message>
    <message>
        <source>Actions</source>
        <translation>Aktionen</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>Grund</translation>
    </message>
    <message>
        <source>why, or a ticket; written to the journal</source>
        <translation>warum, oder ein Ticket; kommt ins Journal</translation>
    </message>
    <message>
        <source>&amp;Reason</source>
        <translation>&amp;Grund</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>Plan</translation>
    </message>
    <message>
        <source>Reading the current state…</source>
        <translation>Der aktuelle Zustand wird gelesen…</translation>
    </message>
    <message>
        <source>&amp;Type %1 to continue</source>
        <translation>Zum &amp;Fortfahren %1 eingeben</translation>
    </message>
    <message>
        <source>Type %1 to continue</source>
        <translation>Zum Fortfahren %1 eingeben</translation>
    </message>
    <message>
        <source>Changed since this plan was made: %1. Running it would end in a conflict and change nothing.</source>
        <translation>Seit diesem Plan geändert: %1. Das Ausführen würde mit einem Konflikt enden und nichts ändern.</translation>
    </message>
    <message>
        <source>Changed since this plan was made: %1 of %2. Running these would end in conflicts and change nothing.</source>
        <translation>Seit diesem Plan geändert: %1 von %2. Das Ausführen würde dort mit Konflikten enden und nichts ändern.</translation>
    </message>
    <message>
        <source>required on production: why, or a ticket; written to the journal</source>
        <translation>in Produktion Pflicht: warum, oder ein Ticket; kommt ins Journal</translation>
    </message>
    <message>
        <source>A reason is required on production</source>
        <translation>In Produktion ist ein Grund Pflicht</translation>
    </message>
</context>
<context>
    <name>lk::PossibleDialog</name>
    <message>
        <source>&amp;Declare…</source>
        <translation>&amp;Deklarieren…</translation>
    </message>
    <message>
        <source>%1…</source>
        <translation>%1…</translation>
    </message>
    <message>
        <source>Possible %1</source>
        <translation>Mögliche %1</translation>
    </message>
    <message>
        <source>%1 – Lockkeeper</source>
        <translation>%1 – Lockkeeper</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>Schl&amp;ießen</translation>
    </message>
    <message>
        <source>Shown: %1 of %2.</source>
        <translation>Angezeigt: %1 von %2.</translation>
    </message>
    <message>
        <source>Their names or contents match, but are no proof, so they are not counted and produce no findings. Declare those that are %1.</source>
        <translation>Ihre Namen oder Inhalte passen, beweisen aber nichts; darum werden sie nicht gezählt und ergeben keine Befunde. Deklarieren Sie, was %1 sind.</translation>
    </message>
</context>
<context>
    <name>lk::PossibleModel</name>
    <message>
        <source>Key</source>
        <translation>Key</translation>
    </message>
    <message>
        <source>May be a</source>
        <translation>Vielleicht</translation>
    </message>
    <message>
        <source>Why it is not counted</source>
        <translation>Warum nicht gezählt</translation>
    </message>
</context>
<context>
    <name>lk::PossibleNotice</name>
    <message>
        <source>Keys whose name or content matches without proof: not counted, no findings.</source>
        <translation>Keys, deren Name oder Inhalt passt, ohne Beweis: nicht gezählt, keine Befunde.</translation>
    </message>
    <message>
        <source>Possible %1: %2…</source>
        <translation>Mögliche %1: %2…</translation>
    </message>
</context>
<context>
    <name>lk::PrimitiveFacts</name>
    <message>
        <source>Key, %1</source>
        <translation>Key, %1</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>Keys</translation>
    </message>
    <message numerus="yes">
        <source>and %Ln more</source>
        <translation>
            <numerusform>und %Ln weiterer</numerusform>
            <numerusform>und %Ln weitere</numerusform>
        </translation>
    </message>
    <message>
        <source>TTL</source>
        <translation>TTL</translation>
    </message>
    <message>
        <source>no TTL</source>
        <translation>ohne TTL</translation>
    </message>
    <message>
        <source>Keys in Redis</source>
        <translation>Keys in Redis</translation>
    </message>
    <message>
        <source>none at the moment</source>
        <translation>im Moment keine</translation>
    </message>
    <message>
        <source>Observed for</source>
        <translation>Beobachtet seit</translation>
    </message>
    <message numerus="yes">
        <source>its keys are in %Ln slots</source>
        <translation>
            <numerusform>Keys in %Ln Slot</numerusform>
            <numerusform>Keys in %Ln Slots</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%1 auf %2</translation>
    </message>
    <message>
        <source>no node</source>
        <translation>keinem Knoten</translation>
    </message>
    <message>
        <source>Cluster slot</source>
        <translation>Cluster-Slot</translation>
    </message>
</context>
<context>
    <name>lk::PrimitiveModel</name>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message numerus="yes">
        <source>… and %Ln more keys</source>
        <translation>
            <numerusform>… und %Ln weiterer Key</numerusform>
            <numerusform>… und %Ln weitere Keys</numerusform>
        </translation>
    </message>
    <message>
        <source>collapsed</source>
        <translation>zugeklappt</translation>
    </message>
    <message>
        <source>expanded</source>
        <translation>aufgeklappt</translation>
    </message>
    <message numerus="yes">
        <source>Group %1, %n rows, most severe: %2, %3</source>
        <translation>
            <numerusform>Gruppe %1, %n Zeile, am schwersten: %2, %3</numerusform>
            <numerusform>Gruppe %1, %n Zeilen, am schwersten: %2, %3</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1: %n rows, most severe: %2</source>
        <translation>
            <numerusform>%1: %n Zeile, am schwersten: %2</numerusform>
            <numerusform>%1: %n Zeilen, am schwersten: %2</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lk::PrivateFiles</name>
    <message>
        <source>permission denied; check its owner and mode, or set XDG_DATA_HOME</source>
        <translation>keine Berechtigung; Besitzer und Zugriffsrechte prüfen oder XDG_DATA_HOME setzen</translation>
    </message>
    <message>
        <source>no space left on the device; free some and try again</source>
        <translation>kein Platz mehr auf dem Gerät; Platz schaffen und erneut versuchen</translation>
    </message>
    <message>
        <source>the disk quota is used up; free some space and try again</source>
        <translation>das Plattenkontingent ist aufgebraucht; Platz schaffen und erneut versuchen</translation>
    </message>
    <message>
        <source>the file system is read-only; set XDG_DATA_HOME to a writable folder</source>
        <translation>das Dateisystem ist schreibgeschützt; XDG_DATA_HOME auf einen beschreibbaren Ordner setzen</translation>
    </message>
    <message>
        <source>it is no file with anything in it</source>
        <translation>es ist keine Datei mit Inhalt</translation>
    </message>
    <message>
        <source>other users may read it (chmod 600 mends that)</source>
        <translation>andere Benutzer dürfen sie lesen (chmod 600 behebt das)</translation>
    </message>
</context>
<context>
    <name>lk::ProcessEnvironment</name>
    <message>
        <source>No display: neither DISPLAY nor WAYLAND_DISPLAY is set. snapshot, check, act and screenshots need none</source>
        <translation>Keine Anzeige: Weder DISPLAY noch WAYLAND_DISPLAY ist gesetzt. snapshot, check, act und screenshots brauchen keine</translation>
    </message>
    <message>
        <source>The display %1 cannot be opened. snapshot, check, act and screenshots need none</source>
        <translation>Die Anzeige %1 kann nicht geöffnet werden. snapshot, check, act und screenshots brauchen keine</translation>
    </message>
</context>
<context>
    <name>lk::QueueBody</name>
    <message>
        <source>waiting</source>
        <translation>wartend</translation>
    </message>
    <message>
        <source>in progress</source>
        <translation>in Arbeit</translation>
    </message>
    <message>
        <source>stuck</source>
        <translation>hängt</translation>
    </message>
    <message>
        <source>delayed</source>
        <translation>verzögert</translation>
    </message>
    <message>
        <source>Jobs</source>
        <translation>Jobs</translation>
    </message>
    <message>
        <source>Blocked workers</source>
        <translation>Blockierte Worker</translation>
    </message>
    <message>
        <source>Depth</source>
        <translation>Länge</translation>
    </message>
    <message>
        <source>jobs</source>
        <translation>Jobs</translation>
    </message>
    <message>
        <source>Flow</source>
        <translation>Durchsatz</translation>
    </message>
    <message>
        <source>jobs per second, at least</source>
        <translation>Jobs pro Sekunde, mindestens</translation>
    </message>
    <message>
        <source>in</source>
        <translation>Zugang</translation>
    </message>
    <message>
        <source>out</source>
        <translation>Abgang</translation>
    </message>
    <message>
        <source>events waiting</source>
        <translation>wartende Events</translation>
    </message>
    <message>
        <source>wake-ups</source>
        <translation>Wake-ups</translation>
    </message>
    <message>
        <source>dead letters</source>
        <translation>Dead Letters</translation>
    </message>
    <message>
        <source>longest</source>
        <translation>längste</translation>
    </message>
    <message>
        <source>Workers</source>
        <translation>Worker</translation>
    </message>
    <message>
        <source>Failures</source>
        <translation>Fehlschläge</translation>
    </message>
    <message>
        <source>Longest-waiting job: %1</source>
        <translation>Am längsten wartender Job: %1</translation>
    </message>
    <message>
        <source>Paused for at least %1: workers take no new jobs.</source>
        <translation>Seit mindestens %1 pausiert: Worker nehmen keine neuen Jobs an.</translation>
    </message>
    <message>
        <source>%1 overdue, the first by %2: nothing moves them.</source>
        <translation>%1 überfällig, der erste seit %2: Nichts verschiebt sie.</translation>
    </message>
    <message>
        <source>Paused since %1, for %2: workers take no new jobs.</source>
        <translation>Pausiert seit %1, für %2: Worker nehmen keine neuen Jobs.</translation>
    </message>
</context>
<context>
    <name>lk::QuietDialog</name>
    <message>
        <source>every day</source>
        <translation>jeden Tag</translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation>&amp;Entfernen</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>Schl&amp;ießen</translation>
    </message>
    <message>
        <source>&amp;Write</source>
        <translation>&amp;Schreiben</translation>
    </message>
    <message>
        <source>Quiet hours – Lockkeeper</source>
        <translation>Ruhezeiten – Lockkeeper</translation>
    </message>
    <message>
        <source>Quiet hours</source>
        <translation>Ruhezeiten</translation>
    </message>
    <message>
        <source>This is written to %1:</source>
        <translation>Das wird in %1 geschrieben:</translation>
    </message>
    <message>
        <source>&amp;Quiet hours</source>
        <translation>&amp;Ruhezeiten</translation>
    </message>
    <message>
        <source>&amp;From</source>
        <translation>&amp;Von</translation>
    </message>
    <message>
        <source>&amp;To</source>
        <translation>&amp;Bis</translation>
    </message>
    <message>
        <source>New quiet hours</source>
        <translation>Neue Ruhezeiten</translation>
    </message>
    <message>
        <source>Written to %1 and applied</source>
        <translation>In %1 geschrieben und angewendet</translation>
    </message>
    <message>
        <source>Can w&amp;ait</source>
        <translation>W&amp;arten kann</translation>
    </message>
    <message>
        <source>info</source>
        <translation>Info</translation>
    </message>
    <message>
        <source>info and warning</source>
        <translation>Info und Warnung</translation>
    </message>
    <message>
        <source>During quiet hours, alerts that can wait send no notifications. Those that are still open afterwards send theirs then. The board always shows all alerts. Times are in this machine&apos;s time zone.</source>
        <translation>In Ruhezeiten senden Alarme, die warten können, keine Benachrichtigungen. Sind sie danach noch offen, wird das nachgeholt. Unter Alarme stehen immer alle. Die Zeiten gelten in der Zeitzone dieses Rechners.</translation>
    </message>
    <message>
        <source>Starting on</source>
        <translation>Beginn am</translation>
    </message>
    <message>
        <source>info, warning and error</source>
        <translation>Info, Warnung und Fehler</translation>
    </message>
    <message>
        <source>Choose at least one day</source>
        <translation>Mindestens einen Tag wählen</translation>
    </message>
</context>
<context>
    <name>lk::Receipt</name>
    <message>
        <source>It no longer exists</source>
        <translation>Existiert nicht mehr</translation>
    </message>
    <message>
        <source>The key has another type than this action expects</source>
        <translation>Der Key hat einen anderen Typ, als diese Aktion erwartet</translation>
    </message>
    <message>
        <source>The key already exists</source>
        <translation>Der Key existiert bereits</translation>
    </message>
    <message>
        <source>The lock has not expired by the server&apos;s clock</source>
        <translation>Das Lock ist nach der Uhr des Servers nicht abgelaufen</translation>
    </message>
    <message>
        <source>There is nothing to change</source>
        <translation>Es gibt nichts zu ändern</translation>
    </message>
    <message>
        <source>Value and permits already match</source>
        <translation>Wert und Permits stimmen schon überein</translation>
    </message>
    <message>
        <source>The token is already used</source>
        <translation>Das Token ist schon verbraucht</translation>
    </message>
    <message>
        <source>No such token was issued</source>
        <translation>Ein solches Token wurde nicht ausgestellt</translation>
    </message>
    <message>
        <source>The data to restore has expired in the meantime</source>
        <translation>Die Daten zum Wiederherstellen sind inzwischen abgelaufen</translation>
    </message>
    <message>
        <source>The value does not fit this action</source>
        <translation>Der Wert passt nicht zu dieser Aktion</translation>
    </message>
    <message>
        <source>It is too large for one script</source>
        <translation>Zu groß für ein einziges Skript</translation>
    </message>
    <message>
        <source>This user lacks permission for a command that the action needs</source>
        <translation>Diesem Benutzer fehlt die Berechtigung für einen Befehl, den die Aktion braucht</translation>
    </message>
    <message>
        <source>A number is out of range, or was by the time it arrived</source>
        <translation>Eine Zahl ist außerhalb des Bereichs oder war es beim Eintreffen</translation>
    </message>
    <message>
        <source>This library version stores no permits to compare the value with</source>
        <translation>Diese Version der Bibliothek speichert keine Permits, mit denen sich der Wert vergleichen ließe</translation>
    </message>
    <message>
        <source>The server received it too late: nothing was changed. The server or the network is slow; replan</source>
        <translation>Es kam zu spät beim Server an: Nichts wurde geändert. Der Server oder das Netz ist langsam; neu planen</translation>
    </message>
    <message>
        <source>This user lacks permission for DUMP, which undo needs: nothing was changed. Grant it with ACL SETUSER NAME +dump</source>
        <translation>Diesem Benutzer fehlt die Berechtigung für DUMP, ohne die sich nichts rückgängig machen lässt: Nichts wurde geändert. Geben Sie sie mit ACL SETUSER NAME +dump</translation>
    </message>
    <message>
        <source>Both lists are the same</source>
        <translation>Beide Listen sind dieselbe</translation>
    </message>
    <message>
        <source>The script rejected it: %1</source>
        <translation>Das Skript hat es abgewiesen: %1</translation>
    </message>
    <message>
        <source>%1. Nothing was changed</source>
        <translation>%1. Nichts wurde geändert</translation>
    </message>
    <message>
        <source>It has changed since that action; nothing was changed</source>
        <translation>Hat sich seit dieser Aktion geändert; nichts wurde geändert</translation>
    </message>
    <message>
        <source>It has changed since the plan; nothing was changed</source>
        <translation>Hat sich seit dem Plan geändert; nichts wurde geändert</translation>
    </message>
    <message>
        <source>It has changed since the plan, and is now %1. Nothing was changed</source>
        <translation>Hat sich seit dem Plan geändert und ist jetzt %1. Nichts wurde geändert</translation>
    </message>
    <message>
        <source>%1 of %2; the others no longer existed</source>
        <translation>%1 von %2; die anderen existierten nicht mehr</translation>
    </message>
    <message>
        <source>Conflict</source>
        <translation>Konflikt</translation>
    </message>
    <message>
        <source>Refused</source>
        <translation>Abgelehnt</translation>
    </message>
    <message>
        <source>Outcome unknown</source>
        <translation>Ausgang unbekannt</translation>
    </message>
    <message>
        <source>: the script stopped midway; check the state</source>
        <translation>: Das Skript brach mittendrin ab; prüfen Sie den Zustand</translation>
    </message>
    <message>
        <source>The server&apos;s reply is not what the script returns; check the state</source>
        <translation>Die Antwort des Servers ist nicht das, was das Skript zurückgibt; prüfen Sie den Zustand</translation>
    </message>
    <message>
        <source>%1. Nothing was sent</source>
        <translation>%1. Nichts wurde gesendet</translation>
    </message>
    <message>
        <source>No reply (%1): it ran once or not at all. It is not sent again, and the server rejects it from now on. Check the state before you try again</source>
        <translation>Keine Antwort (%1): Es lief einmal oder gar nicht. Es wird nicht noch einmal gesendet, und der Server weist es ab jetzt ab. Prüfen Sie den Zustand, bevor Sie es erneut versuchen</translation>
    </message>
    <message>
        <source>Succeeded</source>
        <translation>Erfolgreich</translation>
    </message>
</context>
<context>
    <name>lk::ReceiptView</name>
    <message>
        <source>not possible: %1</source>
        <translation>nicht möglich: %1</translation>
    </message>
    <message>
        <source>Action</source>
        <translation>Aktion</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>Server</translation>
    </message>
    <message>
        <source>Changed</source>
        <translation>Geändert</translation>
    </message>
    <message>
        <source>Receipt</source>
        <translation>Beleg</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig machen</translation>
    </message>
    <message>
        <source>Cop&amp;y receipt ID</source>
        <translation>Beleg-ID &amp;kopieren</translation>
    </message>
    <message>
        <source>&amp;Undo…</source>
        <translation>&amp;Rückgängig machen…</translation>
    </message>
    <message>
        <source>Actions run</source>
        <translation>Ausgeführte Aktionen</translation>
    </message>
    <message>
        <source>&amp;Undo this one…</source>
        <translation>Diese &amp;rückgängig machen…</translation>
    </message>
    <message numerus="yes">
        <source>Undo &amp;all %Ln…</source>
        <translation>
            <numerusform>A&amp;lle rückgängig machen (%Ln)…</numerusform>
            <numerusform>A&amp;lle %Ln rückgängig machen…</numerusform>
        </translation>
    </message>
    <message>
        <source>Current state</source>
        <translation>Aktueller Zustand</translation>
    </message>
    <message numerus="yes">
        <source>%Ln result(s); nothing was changed</source>
        <translation>
            <numerusform>%Ln Ergebnis; nichts wurde geändert</numerusform>
            <numerusform>%Ln Ergebnisse; nichts wurde geändert</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2 actions run; %3 succeeded, %4 did not</source>
        <translation>%1 von %2 Aktionen ausgeführt; %3 erfolgreich, %4 nicht</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>Angehalten</translation>
    </message>
    <message>
        <source>Partly succeeded</source>
        <translation>Teilweise erfolgreich</translation>
    </message>
    <message>
        <source>Succeeded</source>
        <translation>Erfolgreich</translation>
    </message>
    <message>
        <source>Workers</source>
        <translation>Worker</translation>
    </message>
</context>
<context>
    <name>lk::RecentList</name>
    <message>
        <source>Recent servers</source>
        <translation>Letzte Server</translation>
    </message>
    <message>
        <source>Servers you connect to are listed here, without passwords.

No server at hand? Open the demo.</source>
        <translation>Hier stehen die Server, mit denen Sie sich verbinden, ohne Passwörter.

Kein Server zur Hand? Öffnen Sie die Demo.</translation>
    </message>
    <message>
        <source>Starred</source>
        <translation>Favoriten</translation>
    </message>
    <message>
        <source>Recent</source>
        <translation>Zuletzt verwendet</translation>
    </message>
    <message>
        <source>starred</source>
        <translation>Favorit</translation>
    </message>
    <message>
        <source>From the team file</source>
        <translation>Aus der Team-Datei</translation>
    </message>
</context>
<context>
    <name>lk::RecordFile</name>
    <message>
        <source>%1: no recording found</source>
        <translation>%1: keine Aufzeichnung gefunden</translation>
    </message>
    <message>
        <source>%1 was written by another version of Lockkeeper; opened read-only</source>
        <translation>%1 wurde von einer anderen Version von Lockkeeper geschrieben; nur lesend geöffnet</translation>
    </message>
</context>
<context>
    <name>lk::RecordRun</name>
    <message>
        <source>%1; retrying automatically</source>
        <translation>%1; neuer Versuch erfolgt automatisch</translation>
    </message>
    <message>
        <source>Recording again</source>
        <translation>Aufzeichnung läuft wieder</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Recording %1</source>
        <translation>%1 wird aufgezeichnet</translation>
    </message>
    <message>
        <source>Another program records %1; standing by</source>
        <translation>Ein anderes Programm zeichnet %1 auf; in Bereitschaft</translation>
    </message>
    <message>
        <source>Configuration not applied: %1</source>
        <translation>Konfiguration nicht angewendet: %1</translation>
    </message>
    <message>
        <source>Configuration applied</source>
        <translation>Konfiguration angewendet</translation>
    </message>
    <message>
        <source>%1 is now a replica; its master is %2: record that one, too</source>
        <translation>%1 ist jetzt ein Replikat; sein Master ist %2: auch diesen aufzeichnen</translation>
    </message>
    <message>
        <source>%1: failover, the master is now %2</source>
        <translation>%1: Failover, der Master ist jetzt %2</translation>
    </message>
</context>
<context>
    <name>lk::RecordServices</name>
    <message>
        <source>Serving http://%1:%2/metrics</source>
        <translation>http://%1:%2/metrics wird bereitgestellt</translation>
    </message>
    <message>
        <source>a test</source>
        <translation>ein Test</translation>
    </message>
    <message>
        <source>%1: the test notification was not delivered: %2</source>
        <translation>%1: Die Testbenachrichtigung wurde nicht zugestellt: %2</translation>
    </message>
    <message>
        <source>%1: the test notification was delivered</source>
        <translation>%1: Die Testbenachrichtigung wurde zugestellt</translation>
    </message>
    <message>
        <source>Alerts cannot be stored: %1</source>
        <translation>Alarme lassen sich nicht speichern: %1</translation>
    </message>
    <message>
        <source>%1 cannot be read: %2</source>
        <translation>%1 kann nicht gelesen werden: %2</translation>
    </message>
    <message>
        <source>%1 is not private: run chmod 600 on it</source>
        <translation>%1 ist nicht privat: chmod 600 ausführen</translation>
    </message>
    <message>
        <source>%1 has no password in its first line</source>
        <translation>%1 hat kein Passwort in der ersten Zeile</translation>
    </message>
    <message>
        <source>Every machine that reaches this port can read names of queues and limiters; use --listen-password-file, or listen on 127.0.0.1</source>
        <translation>Jede Maschine, die diesen Port erreicht, kann Namen von Queues und Limitern lesen; verwenden Sie --listen-password-file, oder lauschen Sie auf 127.0.0.1</translation>
    </message>
</context>
<context>
    <name>lk::RecordWriter</name>
    <message>
        <source>%1 was corrupt and was renamed to %2; recording to a new file</source>
        <translation>%1 war beschädigt und wurde in %2 umbenannt; aufgezeichnet wird in eine neue Datei</translation>
    </message>
</context>
<context>
    <name>lk::RecordingDialog</name>
    <message>
        <source>&amp;Record what this console monitors</source>
        <translation>Auf&amp;zeichnen, was diese Konsole überwacht</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>&amp;Speichern</translation>
    </message>
    <message>
        <source>Recording – Lockkeeper</source>
        <translation>Aufzeichnung – Lockkeeper</translation>
    </message>
    <message>
        <source>Recording</source>
        <translation>Aufzeichnung</translation>
    </message>
    <message>
        <source>States, numbers, holders, findings and actions, with no payload and no token code. It is what the time bar, What happened and lockkeeper history show.</source>
        <translation>Zustände, Zahlen, Inhaber, Befunde und Aktionen, ohne Nutzdaten und ohne Token-Codes. Zeitleiste, „Was geschah“ und lockkeeper history zeigen, was darin steht.</translation>
    </message>
    <message>
        <source>This session has no configuration file to save sizes and times to.</source>
        <translation>Diese Sitzung hat keine Konfigurationsdatei, in der Größe und Zeiten gespeichert werden könnten.</translation>
    </message>
    <message>
        <source>Size and times are saved to %1, under [recording].</source>
        <translation>Größe und Zeiten werden in %1 unter [recording] gespeichert.</translation>
    </message>
    <message>
        <source>This window cannot turn it on or off</source>
        <translation>Dieses Fenster kann sie weder ein- noch ausschalten</translation>
    </message>
    <message>
        <source>&amp;Largest size</source>
        <translation>&amp;Höchstgröße</translation>
    </message>
    <message>
        <source>&amp;As read for</source>
        <translation>&amp;Wie gelesen, für</translation>
    </message>
    <message>
        <source>Every &amp;10 seconds for</source>
        <translation>Alle &amp;10 Sekunden, für</translation>
    </message>
    <message>
        <source>Every &amp;minute for</source>
        <translation>Jede &amp;Minute, für</translation>
    </message>
    <message>
        <source>Every &amp;hour for</source>
        <translation>&amp;Jede Stunde, für</translation>
    </message>
    <message>
        <source>The largest size must be a size such as 500MB or 2GB</source>
        <translation>Die Höchstgröße muss eine Größe wie 500MB oder 2GB sein</translation>
    </message>
    <message>
        <source>%1: must be a duration such as 1h, 2d or 30d</source>
        <translation>%1: muss eine Dauer wie 1h, 2d oder 30d sein</translation>
    </message>
    <message>
        <source>Recording is on</source>
        <translation>Die Aufzeichnung ist an</translation>
    </message>
    <message>
        <source>Recording is off</source>
        <translation>Die Aufzeichnung ist aus</translation>
    </message>
    <message>
        <source>Saved and applied: line %1 of %2</source>
        <translation>Gespeichert und angewendet: Zeile %1 von %2</translation>
    </message>
    <message>
        <source>Saved and applied: lines %1 to %2 of %3</source>
        <translation>Gespeichert und angewendet: Zeilen %1 bis %2 von %3</translation>
    </message>
    <message>
        <source>Such as 500MB or 2GB, in powers of 1024. The oldest data is deleted first</source>
        <translation>Etwa 500MB oder 2GB, in Potenzen von 1024. Die ältesten Daten werden zuerst gelöscht</translation>
    </message>
    <message>
        <source>Such as 1h, 2d or 30d. Older data is kept as set in the next line</source>
        <translation>Etwa 1h, 2d oder 30d. Ältere Daten werden gehalten, wie es die nächste Zeile sagt</translation>
    </message>
</context>
<context>
    <name>lk::RecordingFacts</name>
    <message>
        <source>on</source>
        <translation>an</translation>
    </message>
    <message>
        <source>by another program</source>
        <translation>durch ein anderes Programm</translation>
    </message>
    <message>
        <source>once it is connected</source>
        <translation>sobald verbunden</translation>
    </message>
    <message>
        <source>Recording</source>
        <translation>Aufzeichnung</translation>
    </message>
    <message>
        <source>off</source>
        <translation>aus</translation>
    </message>
    <message>
        <source>%1 of %2 at most</source>
        <translation>%1 von höchstens %2</translation>
    </message>
    <message>
        <source>%1 ago</source>
        <translation>vor %1</translation>
    </message>
    <message>
        <source>Kept</source>
        <translation>Aufbewahrt</translation>
    </message>
    <message>
        <source>as read for %1, every 10 s for %2, every minute for %3, every hour for %4</source>
        <translation>wie gelesen für %1, alle 10 s für %2, jede Minute für %3, jede Stunde für %4</translation>
    </message>
    <message>
        <source>interrupted: %1. Retrying automatically</source>
        <translation>unterbrochen: %1. Es wird automatisch erneut versucht</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Oldest data</source>
        <translation>Älteste Daten</translation>
    </message>
</context>
<context>
    <name>lk::Redlock</name>
    <message>
        <source>free</source>
        <translation>frei</translation>
    </message>
    <message>
        <source>held by %1 on %2 of %3, valid for %4</source>
        <translation>gehalten von %1 auf %2 von %3, gültig für %4</translation>
    </message>
    <message>
        <source>held by %1 on %2 of %3, no TTL</source>
        <translation>gehalten von %1 auf %2 von %3, ohne TTL</translation>
    </message>
    <message>
        <source>; other owners on %1</source>
        <translation>; andere Besitzer auf %1</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>unbekannt</translation>
    </message>
    <message>
        <source>unknown: %1 has %2 of %3</source>
        <translation>unbekannt: %1 hat %2 von %3</translation>
    </message>
    <message>
        <source>; servers that do not answer: %1</source>
        <translation>; Server, die nicht antworten: %1</translation>
    </message>
    <message>
        <source>No client can acquire it until some of these keys expire. Clients that try at the same time must release what they acquired, and retry after a random delay.</source>
        <translation>Niemand bekommt es, bis einige dieser Keys ablaufen. Clients, die es gleichzeitig versuchen, müssen freigeben, was sie bekommen haben, und eine zufällige Zeit warten.</translation>
    </message>
    <message>
        <source>It is left over from a failed attempt, or from an owner that lost servers, and blocks other clients until it expires. An owner that is still working no longer holds the lock.</source>
        <translation>Es stammt von einem fehlgeschlagenen Versuch oder von einem Besitzer, der Server verloren hat, und blockiert andere, bis es abläuft. Ein Besitzer, der noch arbeitet, hat sein Lock verloren.</translation>
    </message>
    <message>
        <source>Bring back the servers that do not answer.</source>
        <translation>Die Server, die nicht antworten, wieder in Betrieb nehmen.</translation>
    </message>
    <message>
        <source>%1 other owner</source>
        <translation>%1 mit anderem Besitzer</translation>
    </message>
    <message>
        <source>%1 free</source>
        <translation>%1 frei</translation>
    </message>
    <message>
        <source>%1 unreachable</source>
        <translation>%1 nicht erreichbar</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>quorum reached</source>
        <translation>Quorum erreicht</translation>
    </message>
    <message>
        <source>no quorum</source>
        <translation>kein Quorum</translation>
    </message>
    <message>
        <source>split between owners</source>
        <translation>auf mehrere Besitzer verteilt</translation>
    </message>
    <message>
        <source>held by %1, no TTL</source>
        <translation>gehalten von %1, ohne TTL</translation>
    </message>
    <message>
        <source>held by %1, TTL %2</source>
        <translation>gehalten von %1, TTL %2</translation>
    </message>
    <message>
        <source>The same server is listed more than once: %1</source>
        <translation>Derselbe Server ist mehrfach aufgeführt: %1</translation>
    </message>
    <message>
        <source>It votes more than once: a quorum is counted where there is none, and one crash loses several votes.</source>
        <translation>Er stimmt mehrfach ab: Ein Quorum wird gezählt, wo keines ist, und ein Absturz kostet mehrere Stimmen.</translation>
    </message>
    <message>
        <source>Declare each server once, and have the clients do so, too.</source>
        <translation>Jeden Server nur einmal deklarieren, auch in den Clients.</translation>
    </message>
    <message>
        <source>%1 is a replica</source>
        <translation>%1 ist ein Replikat</translation>
    </message>
    <message>
        <source>%1 is a replica of %2</source>
        <translation>%1 ist ein Replikat von %2</translation>
    </message>
    <message>
        <source>A replica repeats its master&apos;s vote and accepts no writes: it has no vote of its own.</source>
        <translation>Ein Replikat wiederholt die Stimme seines Masters und nimmt keine Schreibzugriffe an: Es hat keine eigene Stimme.</translation>
    </message>
    <message>
        <source>Redlock needs masters that do not replicate from one another.</source>
        <translation>Redlock braucht Master, die nicht voneinander replizieren.</translation>
    </message>
    <message>
        <source>Nobody can acquire a lock of this group.</source>
        <translation>Niemand kann ein Lock dieser Gruppe erwerben.</translation>
    </message>
    <message>
        <source>Several clients tried to acquire it at the same time, and none of them holds it.</source>
        <translation>Mehrere Clients wollten es gleichzeitig erwerben, und keiner hat es.</translation>
    </message>
    <message>
        <source>Leftover keys: nobody holds the lock, and fewer servers are free for the next attempt.</source>
        <translation>Übrig gebliebene Keys: Niemand hat das Lock, und für den nächsten Versuch bleiben weniger Server.</translation>
    </message>
    <message>
        <source>It has no TTL on a quorum of servers: if its owner dies, it is held forever.</source>
        <translation>Es hat auf einem Quorum von Servern keine TTL: Stirbt der Besitzer, bleibt es für immer gehalten.</translation>
    </message>
    <message>
        <source>Release it on all servers once its owner is gone, and acquire locks with a TTL.</source>
        <translation>Auf allen Servern freigeben, sobald der Besitzer weg ist, und Locks mit TTL erwerben.</translation>
    </message>
    <message>
        <source>no owner: %1 has %2 of %3, quorum %4</source>
        <translation>kein Besitzer: %1 hat %2 von %3, Quorum %4</translation>
    </message>
    <message>
        <source>no owner: split between owners; %1 has the most (%2 of %3, quorum %4)</source>
        <translation>kein Besitzer: auf mehrere Besitzer verteilt; %1 hat die meisten (%2 von %3, Quorum %4)</translation>
    </message>
    <message>
        <source>Only %1 of %2 servers answer; a quorum needs %3</source>
        <translation>Nur %1 von %2 Servern antworten; ein Quorum braucht %3</translation>
    </message>
</context>
<context>
    <name>lk::RedlockCommand</name>
    <message>
        <source>  %1 does not answer: %2
</source>
        <translation>  %1 antwortet nicht: %2
</translation>
    </message>
    <message>
        <source>  No locks
</source>
        <translation>  Keine Locks
</translation>
    </message>
    <message>
        <source>  There are more; only the first %1 were read
</source>
        <translation>  Es gibt weitere; nur die ersten %1 wurden gelesen
</translation>
    </message>
    <message>
        <source>No [[redlock]] is declared in %1; it takes servers and match</source>
        <translation>In %1 ist kein [[redlock]] deklariert; es braucht servers und match</translation>
    </message>
    <message>
        <source>No [[redlock]] matches %1</source>
        <translation>Kein [[redlock]] passt zu %1</translation>
    </message>
    <message>
        <source>%1 matches several [[redlock]] groups, on lines %2 and %3: each name must be in one group</source>
        <translation>%1 gehört zu mehreren [[redlock]], in den Zeilen %2 und %3: jedem Namen nur eine Gruppe geben</translation>
    </message>
    <message>
        <source>No [[redlock]] has the servers of %1: %2</source>
        <translation>Kein [[redlock]] hat die Server von %1: %2</translation>
    </message>
    <message>
        <source>%1 does not hold %2 on any server that answers</source>
        <translation>%1 hält %2 auf keinem Server, der antwortet</translation>
    </message>
    <message>
        <source>--reason is required on production</source>
        <translation>In Produktion ist --reason Pflicht</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>ja</translation>
    </message>
    <message>
        <source>only if</source>
        <translation>nur wenn</translation>
    </message>
    <message>
        <source>runs</source>
        <translation>Befehl</translation>
    </message>
    <message>
        <source>undo</source>
        <translation>rückgängig</translation>
    </message>
    <message>
        <source>not possible: %1</source>
        <translation>nicht möglich: %1</translation>
    </message>
    <message>
        <source>Succeeded on %1 of %2 servers</source>
        <translation>Auf %1 von %2 Servern gelungen</translation>
    </message>
    <message>
        <source>It may still be held on: %1</source>
        <translation>Vielleicht noch gehalten auf: %1</translation>
    </message>
    <message>
        <source>Undo all of it with: lockkeeper redlock undo %1</source>
        <translation>Alles rückgängig machen mit: lockkeeper redlock undo %1</translation>
    </message>
    <message>
        <source>--%1 belongs to redlock release and redlock undo</source>
        <translation>--%1 gehört zu redlock release und redlock undo</translation>
    </message>
    <message>
        <source>Print the locks that independent servers hold together (Redlock): by whom, on how many, and
for how long. Or release one on all of its servers. The configuration file declares the
servers. Needs no display.</source>
        <translation>Die Locks ausgeben, die unabhängige Server gemeinsam halten (Redlock): von wem, auf wie
vielen und wie lange noch. Oder eines auf allen seinen Servern freigeben. Die Server
deklariert die Konfigurationsdatei. Braucht keine Anzeige.</translation>
    </message>
    <message>
        <source>Release it where this is its owner; keys of other owners stay. Required with release</source>
        <translation>Freigeben, wo dies der Besitzer ist; Keys anderer bleiben. Pflicht bei release</translation>
    </message>
    <message>
        <source>Print the plan and change nothing.</source>
        <translation>Den Plan ausgeben und nichts ändern.</translation>
    </message>
    <message>
        <source>Skip the confirmation. Default: type yes on the terminal</source>
        <translation>Ohne Nachfrage ausführen. Vorgabe: am Terminal yes eintippen</translation>
    </message>
    <message>
        <source>Record this in the journal; required with --environment production. Default: none</source>
        <translation>Dies im Journal vermerken; Pflicht mit --environment production. Vorgabe: keine</translation>
    </message>
    <message>
        <source>Ask for the lock&apos;s name on production. Default: none</source>
        <translation>Bei production nach dem Namen des Locks fragen. Vorgabe: keine</translation>
    </message>
    <message>
        <source>undo reverts a release on all servers; release prints the group that it takes.
Exit codes: 0 printed or done on all servers, 1 a lock without a quorum, servers that are
not independent, or not done on all, 2 wrong use, or too few servers answer.
</source>
        <translation>undo nimmt auf allen Servern zurück, was release getan hat; release gibt die Gruppe dazu aus.
Exit-Codes: 0 ausgegeben oder auf allen Servern erledigt, 1 ein Lock, das niemand auf genug
Servern hat, Server, die nicht unabhängig sind, oder nicht auf allen erledigt, 2 falscher
Aufruf oder zu wenige Server antworten.
</translation>
    </message>
    <message>
        <source>redlock release needs the name of a lock</source>
        <translation>redlock release braucht den Namen eines Locks</translation>
    </message>
    <message>
        <source>redlock release needs --owner; redlock prints the owner</source>
        <translation>redlock release braucht --owner; redlock gibt aus, wer es ist</translation>
    </message>
    <message>
        <source>redlock undo needs the group that release printed</source>
        <translation>redlock undo braucht die Gruppe, die release ausgegeben hat</translation>
    </message>
    <message>
        <source>--owner belongs to redlock release</source>
        <translation>--owner gehört zu redlock release</translation>
    </message>
    <message>
        <source>Too few servers of the group %1 answer: %2; a quorum needs %3</source>
        <translation>Zu wenige Server der Gruppe %1 antworten: %2; ein Quorum braucht %3</translation>
    </message>
    <message>
        <source>Too few servers of the group %1 answer to tell who holds %2 of its %3 locks</source>
        <translation>Zu wenige Server der Gruppe %1 antworten, um zu sagen, wer %2 ihrer %3 Locks hält</translation>
    </message>
    <message>
        <source>%1  %2 servers, a quorum needs %3
</source>
        <translation>%1  %2 Server, ein Quorum braucht %3
</translation>
    </message>
    <message>
        <source>None of it can be undone any more</source>
        <translation>Nichts davon lässt sich noch rückgängig machen</translation>
    </message>
    <message>
        <source>unchanged: %1</source>
        <translation>unverändert: %1</translation>
    </message>
</context>
<context>
    <name>lk::RedlockDetail</name>
    <message>
        <source>Release on all servers…</source>
        <translation>Auf allen Servern freigeben…</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Servers</source>
        <translation>Server</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>Details</translation>
    </message>
    <message>
        <source>Redlock on %1 servers, declared for %2</source>
        <translation>Redlock auf %1 Servern, deklariert für %2</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>servers, a quorum is %1</source>
        <translation>Server, ein Quorum ist %1</translation>
    </message>
    <message>
        <source>valid for</source>
        <translation>noch gültig</translation>
    </message>
    <message>
        <source>free</source>
        <translation>frei</translation>
    </message>
    <message>
        <source>unreachable</source>
        <translation>nicht erreichbar</translation>
    </message>
    <message>
        <source>Owner</source>
        <translation>Besitzer</translation>
    </message>
    <message>
        <source>Most servers</source>
        <translation>Meiste Server</translation>
    </message>
    <message>
        <source>Other owners</source>
        <translation>Andere Besitzer</translation>
    </message>
    <message>
        <source>on %1</source>
        <translation>auf %1</translation>
    </message>
    <message>
        <source>Validity</source>
        <translation>Gültigkeit</translation>
    </message>
    <message>
        <source>the TTL that a quorum has, minus what Redlock allows for clock drift (1 % and 2 ms)</source>
        <translation>die TTL, die ein Quorum hat, abzüglich dessen, was Redlock für Uhrendrift ansetzt (1 % und 2 ms)</translation>
    </message>
    <message>
        <source>Not available: nobody holds it on a server that answers</source>
        <translation>Nicht verfügbar: auf keinem Server, der antwortet, gehalten</translation>
    </message>
    <message>
        <source>Deletes its key on every server where the owner is unchanged</source>
        <translation>Löscht den Key auf jedem Server, auf dem der Besitzer derselbe ist</translation>
    </message>
    <message>
        <source>Not available: %1</source>
        <translation>Nicht verfügbar: %1</translation>
    </message>
    <message>
        <source>Release for %1…</source>
        <translation>Für %1 freigeben…</translation>
    </message>
</context>
<context>
    <name>lk::RedlockDialog</name>
    <message>
        <source>Release %1</source>
        <translation>Lock %1 freigeben</translation>
    </message>
    <message>
        <source>Undo the release of %1</source>
        <translation>Freigabe von %1 rückgängig machen</translation>
    </message>
    <message>
        <source>%1 on all servers</source>
        <translation>Auf allen Servern %1</translation>
    </message>
    <message>
        <source>%1 – Lockkeeper</source>
        <translation>%1 – Lockkeeper</translation>
    </message>
    <message>
        <source>%1 on %2 of %3 servers?</source>
        <translation>Auf %2 von %3 Servern %1?</translation>
    </message>
    <message>
        <source>%1: there is nothing to do</source>
        <translation>%1: nichts zu tun</translation>
    </message>
    <message>
        <source>%1?</source>
        <translation>%1?</translation>
    </message>
    <message numerus="yes">
        <source>%Ln server(s)</source>
        <translation>
            <numerusform>%Ln Server</numerusform>
            <numerusform>%Ln Server</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>%1…</source>
        <translation>%1…</translation>
    </message>
    <message>
        <source>Nothing was sent: the session is read-only. Turn on write mode to continue.</source>
        <translation>Nichts wurde gesendet: Die Sitzung liest nur. Schalten Sie den Schreibmodus ein, um fortzufahren.</translation>
    </message>
    <message numerus="yes">
        <source>It may stay held on %Ln server(s) that cannot be reached or refuse.</source>
        <translation>
            <numerusform>Auf %Ln Server, der nicht abfragbar ist oder ablehnt, bleibt es vielleicht gehalten.</numerusform>
            <numerusform>Auf %Ln Servern, die nicht abfragbar sind oder ablehnen, bleibt es vielleicht gehalten.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lk::RedlockList</name>
    <message>
        <source>%1: only the first %2 are shown</source>
        <translation>%1: nur die ersten %2 werden angezeigt</translation>
    </message>
    <message>
        <source>scanning…</source>
        <translation>Scan läuft…</translation>
    </message>
    <message>
        <source>nothing matches the filter</source>
        <translation>nichts passt zum Filter</translation>
    </message>
    <message>
        <source>no lock is held now</source>
        <translation>derzeit wird kein Lock gehalten</translation>
    </message>
    <message>
        <source>Redlock locks</source>
        <translation>Redlock-Locks</translation>
    </message>
    <message>
        <source>Redlock locks: %1, without a quorum: %2</source>
        <translation>Redlock-Locks: %1, ohne Quorum: %2</translation>
    </message>
    <message>
        <source>Redlock locks: %1</source>
        <translation>Redlock-Locks: %1</translation>
    </message>
    <message>
        <source>this session has no journal, so it is read-only</source>
        <translation>diese Sitzung hat kein Journal und ist deshalb schreibgeschützt</translation>
    </message>
</context>
<context>
    <name>lk::RedlockModel</name>
    <message>
        <source>no TTL</source>
        <translation>ohne TTL</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Servers</source>
        <translation>Server</translation>
    </message>
    <message>
        <source>Owner</source>
        <translation>Besitzer</translation>
    </message>
    <message>
        <source>Valid for</source>
        <translation>Noch gültig</translation>
    </message>
</context>
<context>
    <name>lk::RedlockRelease</name>
    <message>
        <source>free on this server</source>
        <translation>auf diesem Server frei</translation>
    </message>
    <message>
        <source>held by another owner on this server</source>
        <translation>auf diesem Server von einem anderen Besitzer gehalten</translation>
    </message>
    <message>
        <source>nothing to undo on this server</source>
        <translation>auf diesem Server gibt es nichts rückgängig zu machen</translation>
    </message>
</context>
<context>
    <name>lk::RememberBox</name>
    <message>
        <source>Remember in the ke&amp;yring</source>
        <translation>Im Schlüsselbund me&amp;rken</translation>
    </message>
    <message>
        <source>asking the keyring…</source>
        <translation>Schlüsselbund wird gefragt…</translation>
    </message>
</context>
<context>
    <name>lk::ReplyReader</name>
    <message>
        <source>more than %1 bytes</source>
        <translation>mehr als %1 Bytes</translation>
    </message>
    <message>
        <source>more than %1 elements</source>
        <translation>mehr als %1 Elemente</translation>
    </message>
    <message>
        <source>a line of more than %1 bytes</source>
        <translation>eine Zeile mit mehr als %1 Bytes</translation>
    </message>
    <message>
        <source>arrays more than %1 deep</source>
        <translation>Arrays tiefer als %1</translation>
    </message>
    <message>
        <source>a RESP3 type in RESP2</source>
        <translation>ein Typ von RESP3 in RESP2</translation>
    </message>
</context>
<context>
    <name>lk::Router</name>
    <message>
        <source>Commands for several nodes are not sent together</source>
        <translation>Befehle für mehrere Knoten werden nicht zusammen gesendet</translation>
    </message>
    <message>
        <source>This is a Sentinel, which stores no keys: connect with %1://%2/%3</source>
        <translation>Dies ist ein Sentinel, der keine Keys speichert: verbinden Sie sich mit %1://%2/%3</translation>
    </message>
</context>
<context>
    <name>lk::RowGroups</name>
    <message>
        <source>By layout</source>
        <translation>Nach Layout</translation>
    </message>
    <message>
        <source>By prefix</source>
        <translation>Nach Präfix</translation>
    </message>
    <message>
        <source>By owner</source>
        <translation>Nach Besitzer</translation>
    </message>
    <message>
        <source>No groups</source>
        <translation>Keine Gruppen</translation>
    </message>
    <message>
        <source>Group the rows by layout, prefix or owner</source>
        <translation>Zeilen nach Layout, Präfix oder Besitzer gruppieren</translation>
    </message>
    <message>
        <source>Collapse all groups</source>
        <translation>Alle Gruppen zuklappen</translation>
    </message>
    <message>
        <source>Expand all groups</source>
        <translation>Alle Gruppen aufklappen</translation>
    </message>
    <message>
        <source>Group</source>
        <translation>Gruppieren</translation>
    </message>
    <message>
        <source>Group: %1</source>
        <translation>Gruppieren: %1</translation>
    </message>
</context>
<context>
    <name>lk::RuleDialog</name>
    <message>
        <source>&amp;This rule is on</source>
        <translation>Diese Regel ist &amp;an</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>Schl&amp;ießen</translation>
    </message>
    <message>
        <source>&amp;Write</source>
        <translation>&amp;Schreiben</translation>
    </message>
    <message>
        <source>Alert rules – Lockkeeper</source>
        <translation>Alarmregeln – Lockkeeper</translation>
    </message>
    <message>
        <source>Alert rules</source>
        <translation>Alarmregeln</translation>
    </message>
    <message>
        <source>This is written to %1:</source>
        <translation>Das wird in %1 geschrieben:</translation>
    </message>
    <message>
        <source>&amp;Rule</source>
        <translation>&amp;Regel</translation>
    </message>
    <message>
        <source>W&amp;hen</source>
        <translation>&amp;Wenn</translation>
    </message>
    <message>
        <source>&amp;Match</source>
        <translation>&amp;Muster</translation>
    </message>
    <message>
        <source>&amp;For</source>
        <translation>&amp;Dauer</translation>
    </message>
    <message>
        <source>Resol&amp;ve at</source>
        <translation>Be&amp;hoben bei</translation>
    </message>
    <message>
        <source>&amp;Severity</source>
        <translation>Schwere&amp;grad</translation>
    </message>
    <message>
        <source>&amp;Notify</source>
        <translation>&amp;Benachrichtigen</translation>
    </message>
    <message>
        <source>queue-stuck, queue.ready &gt; 1000, queue.dead &gt; 0 in 10m</source>
        <translation>queue-stuck, queue.ready &gt; 1000, queue.dead &gt; 0 in 10m</translation>
    </message>
    <message>
        <source>any name, or a pattern such as mail:*</source>
        <translation>ein beliebiger Name oder ein Muster wie mail:*</translation>
    </message>
    <message>
        <source>30s, 2m, 1h; empty: at once</source>
        <translation>30s, 2m, 1h; leer: sofort</translation>
    </message>
    <message>
        <source>%1 (built in)</source>
        <translation>%1 (eingebaut)</translation>
    </message>
    <message>
        <source>%1 (off)</source>
        <translation>%1 (aus)</translation>
    </message>
    <message>
        <source>New rule</source>
        <translation>Neue Regel</translation>
    </message>
    <message>
        <source>Enter a finding&apos;s code, or a metric with a comparison</source>
        <translation>Geben Sie den Code eines Befunds oder eine Metrik mit einem Vergleich ein</translation>
    </message>
    <message>
        <source>&quot;Resolve at&quot; must be a number</source>
        <translation>&quot;Behoben bei&quot; muss eine Zahl sein</translation>
    </message>
    <message>
        <source>Written and applied: lines %1 to %2 of %3. To revert it, edit them there.</source>
        <translation>Geschrieben und angewendet: Zeilen %1 bis %2 in %3. Zum Zurücknehmen dort bearbeiten.</translation>
    </message>
    <message>
        <source>for a metric: the number at which it is clear again</source>
        <translation>bei einer Metrik: der Wert, ab dem sie wieder in Ordnung ist</translation>
    </message>
    <message>
        <source>An alert fires once its condition has held for that long, and is resolved once it has been clear for as long. Notification targets are in the same file; see lockkeeper.toml(5).</source>
        <translation>Ein Alarm wird ausgelöst, sobald seine Bedingung so lange gegolten hat, und ist behoben, sobald sie ebenso lange nicht mehr gegolten hat. Benachrichtigungsziele stehen in derselben Datei; siehe lockkeeper.toml(5).</translation>
    </message>
</context>
<context>
    <name>lk::SaveAs</name>
    <message>
        <source>%1 could not be written: %2.</source>
        <translation>%1 konnte nicht geschrieben werden: %2.</translation>
    </message>
    <message>
        <source>Comma-separated values (*.csv)</source>
        <translation>Kommagetrennte Werte (*.csv)</translation>
    </message>
</context>
<context>
    <name>lk::ScanText</name>
    <message>
        <source>scanning</source>
        <translation>Scan läuft</translation>
    </message>
    <message>
        <source>scanning %1 %</source>
        <translation>Scan läuft, %1 %</translation>
    </message>
    <message>
        <source>scanning %1 %, %2 left</source>
        <translation>Scan läuft, %1 %, noch %2</translation>
    </message>
    <message>
        <source>%1 % of the keys read</source>
        <translation>%1 % der Schlüssel gelesen</translation>
    </message>
    <message numerus="yes">
        <source>%Ln key(s) read</source>
        <translation>
            <numerusform>%Ln Schlüssel gelesen</numerusform>
            <numerusform>%Ln Schlüssel gelesen</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lk::Screenshots</name>
    <message>
        <source>waiting for the server</source>
        <translation>Warten auf den Server</translation>
    </message>
    <message>
        <source>The folder %1 cannot be created</source>
        <translation>Der Ordner %1 kann nicht angelegt werden</translation>
    </message>
    <message>
        <source>%1 could not be written</source>
        <translation>%1 konnte nicht geschrieben werden</translation>
    </message>
</context>
<context>
    <name>lk::SearchDialog</name>
    <message>
        <source>&amp;Open</source>
        <translation>Ö&amp;ffnen</translation>
    </message>
    <message>
        <source>&amp;Actions</source>
        <translation>&amp;Aktionen</translation>
    </message>
    <message>
        <source>Search – Lockkeeper</source>
        <translation>Suche – Lockkeeper</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Name, key, owner, user, IP address, job, command…</source>
        <translation>Name, Key, Besitzer, Benutzer, IP-Adresse, Job, Befehl…</translation>
    </message>
    <message>
        <source>Search results</source>
        <translation>Suchergebnisse</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>%1 is not rejected: none of its limiters (%2) is at its limit.</source>
        <translation>%1 wird nicht abgewiesen: Keiner der zugehörigen Limiter (%2) ist am Limit.</translation>
    </message>
    <message>
        <source>%1 is rejected by %2 of %3 limiters; retry after %4.</source>
        <translation>%1 wird von %2 von %3 Limitern abgewiesen; erneut möglich in %4.</translation>
    </message>
    <message>
        <source>%1 is rejected by %2 of %3 limiters.</source>
        <translation>%1 wird von %2 von %3 Limitern abgewiesen.</translation>
    </message>
    <message>
        <source>Search everything</source>
        <translation>Alles durchsuchen</translation>
    </message>
    <message>
        <source>Type a user ID, an IP address, a key, a lock&apos;s owner, a job or a command. For a client, every limiter that knows it is listed, and when its next request passes.</source>
        <translation>Geben Sie eine Benutzer-ID, eine IP-Adresse, einen Key, den Besitzer eines Locks, einen Job oder einen Befehl ein. Zu einem Client wird jeder Limiter aufgeführt, der ihn kennt, und wann seine nächste Anfrage durchkommt.</translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation>Nichts gefunden</translation>
    </message>
    <message>
        <source>Searched %1 primitives: names, keys, owners, clients, jobs in progress. Jobs in other states are searched on their queue.</source>
        <translation>%1 Primitive durchsucht: Namen, Keys, Besitzer, Clients, Jobs in Arbeit. Jobs in anderen Zuständen suchen Sie bei ihrer Warteschlange.</translation>
    </message>
    <message>
        <source>%1 of %2 found shown; type more to narrow</source>
        <translation>%1 von %2 Treffern angezeigt; zum Eingrenzen mehr eingeben</translation>
    </message>
    <message>
        <source>%1 found, %2 searched</source>
        <translation>%1 gefunden, %2 durchsucht</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>Aus&amp;führen</translation>
    </message>
    <message>
        <source>No action for all of these</source>
        <translation>Keine Aktion für alle diese</translation>
    </message>
    <message>
        <source>&amp;Declare…</source>
        <translation>&amp;Deklarieren…</translation>
    </message>
    <message>
        <source>Writes limit and window to the configuration file</source>
        <translation>Schreibt Limit und Fenster in die Konfigurationsdatei</translation>
    </message>
    <message>
        <source>Cannot tell: the limit of %1 of %2 limiters is not known.</source>
        <translation>Nicht zu sagen: Das Limit von %1 von %2 Limitern ist nicht bekannt.</translation>
    </message>
    <message>
        <source>Cannot tell: the window of %1 of %2 limiters is not known.</source>
        <translation>Nicht zu sagen: Das Fenster von %1 von %2 Limitern ist nicht bekannt.</translation>
    </message>
    <message>
        <source>Cannot tell for %1: the limit or window is not known.</source>
        <translation>Für %1 nicht zu sagen: Limit oder Fenster ist nicht bekannt.</translation>
    </message>
    <message>
        <source>Nothing found so far</source>
        <translation>Bisher nichts gefunden</translation>
    </message>
</context>
<context>
    <name>lk::SearchModel</name>
    <message>
        <source>name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>key %1</source>
        <translation>Key %1</translation>
    </message>
    <message>
        <source>client %1</source>
        <translation>Client %1</translation>
    </message>
    <message>
        <source>owner %1</source>
        <translation>Besitzer %1</translation>
    </message>
    <message>
        <source>worker %1</source>
        <translation>Worker %1</translation>
    </message>
    <message>
        <source>job %1</source>
        <translation>Job %1</translation>
    </message>
    <message>
        <source>%1, %2 left</source>
        <translation>%1, noch %2</translation>
    </message>
    <message>
        <source>%1 of %2 used</source>
        <translation>%1 von %2 belegt</translation>
    </message>
    <message>
        <source>%1 used, limit unknown</source>
        <translation>%1 belegt, Limit unbekannt</translation>
    </message>
    <message>
        <source>%1, next free in %2</source>
        <translation>%1, wieder frei in %2</translation>
    </message>
    <message>
        <source>%1, next free unknown</source>
        <translation>%1, unbekannt, wann wieder frei</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>Befehl</translation>
    </message>
    <message>
        <source>Job</source>
        <translation>Job</translation>
    </message>
    <message>
        <source>ID, in %1</source>
        <translation>ID, in %1</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Found by</source>
        <translation>Gefunden über</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Deployment</source>
        <translation>Deployment</translation>
    </message>
</context>
<context>
    <name>lk::SecretStore</name>
    <message>
        <source>asking the keyring</source>
        <translation>Anfrage an den Schlüsselbund</translation>
    </message>
    <message>
        <source>No password is stored for this server</source>
        <translation>Für diesen Server ist kein Passwort gespeichert</translation>
    </message>
    <message>
        <source>The keyring is locked</source>
        <translation>Der Schlüsselbund ist gesperrt</translation>
    </message>
    <message>
        <source>This desktop has no keyring</source>
        <translation>Dieser Desktop hat keinen Schlüsselbund</translation>
    </message>
    <message>
        <source>The kernel keeps no keys for this user here</source>
        <translation>Der Kernel verwahrt hier keine Schlüssel für diesen Benutzer</translation>
    </message>
    <message>
        <source>No such key</source>
        <translation>Kein solcher Schlüssel</translation>
    </message>
</context>
<context>
    <name>lk::SentinelWatch</name>
    <message>
        <source>not a Sentinel</source>
        <translation>kein Sentinel</translation>
    </message>
    <message>
        <source>no answer</source>
        <translation>keine Antwort</translation>
    </message>
    <message>
        <source>no master of that name</source>
        <translation>kein Master dieses Namens</translation>
    </message>
    <message>
        <source>connecting to %1</source>
        <translation>Verbindungsaufbau zu %1</translation>
    </message>
    <message>
        <source>no Sentinel can tell where %1 is (%2)</source>
        <translation>kein Sentinel kann sagen, wo %1 ist (%2)</translation>
    </message>
    <message>
        <source>No Sentinel knows the master %1 (%2)</source>
        <translation>Kein Sentinel kennt den Master %1 (%2)</translation>
    </message>
    <message>
        <source>not an address</source>
        <translation>keine Adresse</translation>
    </message>
</context>
<context>
    <name>lk::ServerFacts</name>
    <message>
        <source>unknown</source>
        <translation>unbekannt</translation>
    </message>
    <message>
        <source>every write is on disk before its reply</source>
        <translation>jeder Schreibzugriff ist vor seiner Antwort auf der Platte</translation>
    </message>
    <message>
        <source>a crash of the machine loses about one second</source>
        <translation>bei einem Absturz des Rechners geht etwa eine Sekunde verloren</translation>
    </message>
    <message>
        <source>the operating system decides when it reaches the disk, often after 30 seconds</source>
        <translation>das Betriebssystem entscheidet, wann es auf die Platte kommt, oft nach 30 Sekunden</translation>
    </message>
    <message>
        <source>how often it reaches the disk is unknown: no permission</source>
        <translation>wie oft es auf die Platte kommt, ist unbekannt: keine Berechtigung</translation>
    </message>
    <message>
        <source>Unknown: no permission for INFO.</source>
        <translation>Unbekannt: keine Berechtigung für INFO.</translation>
    </message>
    <message>
        <source>Unknown: this server does not report how it saves.</source>
        <translation>Unbekannt: Dieser Server meldet nicht, wie er speichert.</translation>
    </message>
    <message>
        <source>Not durable: the append-only file cannot be written (%1).</source>
        <translation>Nicht dauerhaft: Die Append-only-Datei kann nicht geschrieben werden (%1).</translation>
    </message>
    <message>
        <source>Durable: an append-only file is written; %1.</source>
        <translation>Dauerhaft: Eine Append-only-Datei wird geschrieben; %1.</translation>
    </message>
    <message>
        <source>an unknown number of</source>
        <translation>unbekannt viele</translation>
    </message>
    <message>
        <source>Not durable: snapshots and the append-only file are off. A restart loses every lock, queue and token.</source>
        <translation>Nicht dauerhaft: Snapshots und Append-only-Datei sind aus. Bei einem Neustart gehen alle Locks, Warteschlangen und Tokens verloren.</translation>
    </message>
    <message>
        <source>an unknown time</source>
        <translation>unbekannter Zeit</translation>
    </message>
    <message>
        <source>A crash now would lose %1 changes.</source>
        <translation>Bei einem Absturz jetzt gingen %1 Änderungen verloren.</translation>
    </message>
    <message>
        <source>Not durable: only snapshots are on, and the last one failed.</source>
        <translation>Nicht dauerhaft: Nur Snapshots sind an, und der letzte ist fehlgeschlagen.</translation>
    </message>
    <message>
        <source>Partly durable: only snapshots are on, the last one %1 ago.</source>
        <translation>Teilweise dauerhaft: Nur Snapshots sind an, der letzte vor %1.</translation>
    </message>
    <message>
        <source>Actions are off.</source>
        <translation>Aktionen sind aus.</translation>
    </message>
    <message>
        <source>A replica of %1. Actions are off.</source>
        <translation>Ein Replikat von %1. Aktionen sind aus.</translation>
    </message>
    <message>
        <source>A replica of %1, last contact %2 ago. Actions are off.</source>
        <translation>Ein Replikat von %1, letzter Kontakt vor %2. Aktionen sind aus.</translation>
    </message>
    <message>
        <source>A master; its replicas are unknown: no permission.</source>
        <translation>Ein Master; seine Replikate sind unbekannt: keine Berechtigung.</translation>
    </message>
    <message>
        <source>A master without replicas: if this machine is lost, so is its data.</source>
        <translation>Ein Master ohne Replikate: Geht dieser Rechner verloren, sind auch die Daten verloren.</translation>
    </message>
    <message>
        <source>A master; replicas: %1. Replication is asynchronous: a failover can lose the latest writes.</source>
        <translation>Ein Master; Replikate: %1. Die Replikation ist asynchron: Ein Failover kann die letzten Schreibzugriffe verlieren.</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>Adresse</translation>
    </message>
    <message>
        <source>Version</source>
        <translation>Version</translation>
    </message>
    <message>
        <source>Mode</source>
        <translation>Modus</translation>
    </message>
    <message>
        <source>Role</source>
        <translation>Rolle</translation>
    </message>
    <message>
        <source>Up for</source>
        <translation>Läuft seit</translation>
    </message>
    <message>
        <source>Clients</source>
        <translation>Clients</translation>
    </message>
    <message>
        <source>Blocked clients</source>
        <translation>Blockierte Clients</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keins</translation>
    </message>
    <message>
        <source>%1: locks and queues may be evicted when memory is full</source>
        <translation>%1: Locks und Warteschlangen können verdrängt werden, wenn der Speicher voll ist</translation>
    </message>
    <message>
        <source>%1: keys with a TTL, such as locks and tokens, may be evicted when memory is full</source>
        <translation>%1: Keys mit TTL, etwa Locks und Tokens, können verdrängt werden, wenn der Speicher voll ist</translation>
    </message>
    <message>
        <source>%1: writes are rejected when memory is full</source>
        <translation>%1: Schreibzugriffe werden abgewiesen, wenn der Speicher voll ist</translation>
    </message>
    <message>
        <source>Used</source>
        <translation>Belegt</translation>
    </message>
    <message>
        <source>Peak</source>
        <translation>Spitze</translation>
    </message>
    <message>
        <source>Limit</source>
        <translation>Limit</translation>
    </message>
    <message>
        <source>Eviction</source>
        <translation>Verdrängung</translation>
    </message>
    <message>
        <source>Append-only file</source>
        <translation>Append-only-Datei</translation>
    </message>
    <message>
        <source>on</source>
        <translation>an</translation>
    </message>
    <message>
        <source>off</source>
        <translation>aus</translation>
    </message>
    <message>
        <source>fsync</source>
        <translation>fsync</translation>
    </message>
    <message>
        <source>Snapshots</source>
        <translation>Snapshots</translation>
    </message>
    <message>
        <source>Last snapshot</source>
        <translation>Letzter Snapshot</translation>
    </message>
    <message>
        <source>%1 ago</source>
        <translation>vor %1</translation>
    </message>
    <message>
        <source>Changes since</source>
        <translation>Änderungen seither</translation>
    </message>
    <message>
        <source>Last snapshot failed</source>
        <translation>Letzter Snapshot fehlgeschlagen</translation>
    </message>
    <message>
        <source>Replicas</source>
        <translation>Replikate</translation>
    </message>
    <message>
        <source>Link to master</source>
        <translation>Verbindung zum Master</translation>
    </message>
    <message>
        <source>Replication offset</source>
        <translation>Replikationsoffset</translation>
    </message>
    <message>
        <source>Each of the %1 masters has a replica. Replication is asynchronous: a failover can lose the latest writes.</source>
        <translation>Jeder der %1 Master hat ein Replikat. Die Replikation ist asynchron: Ein Failover kann die letzten Schreibzugriffe verlieren.</translation>
    </message>
    <message>
        <source>None of the %1 masters has a replica: if a machine is lost, so is the data in its slots.</source>
        <translation>Keiner der %1 Master hat ein Replikat: Geht ein Rechner verloren, sind auch die Daten in seinen Slots verloren.</translation>
    </message>
    <message>
        <source>Masters without a replica: %1. If such a machine is lost, so is the data in its slots.</source>
        <translation>Master ohne Replikat: %1. Geht ein solcher Rechner verloren, sind auch die Daten in seinen Slots verloren.</translation>
    </message>
    <message>
        <source>%1 masters</source>
        <translation>%1 Master</translation>
    </message>
    <message>
        <source>master of %1: %2</source>
        <translation>Master von %1: %2</translation>
    </message>
    <message>
        <source>SSH jump host</source>
        <translation>SSH-Jump-Host</translation>
    </message>
    <message>
        <source>Most used</source>
        <translation>Am meisten belegt</translation>
    </message>
    <message>
        <source>%1 by %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Limit per node</source>
        <translation>Grenze je Knoten</translation>
    </message>
    <message>
        <source>Changes since the last snapshot: %1.</source>
        <translation>Änderungen seit dem letzten Snapshot: %1.</translation>
    </message>
    <message>
        <source>Unknown: no append-only file, and no permission for CONFIG GET, which tells whether snapshots are on.</source>
        <translation>Unbekannt: keine Append-only-Datei und keine Berechtigung für CONFIG GET, das verrät, ob Snapshots an sind.</translation>
    </message>
    <message>
        <source>AOF fails</source>
        <translation>AOF schlägt fehl</translation>
    </message>
    <message>
        <source>AOF</source>
        <translation>AOF</translation>
    </message>
    <message>
        <source>AOF, %1</source>
        <translation>AOF, %1</translation>
    </message>
    <message>
        <source>snapshot failed</source>
        <translation>Snapshot fehlgeschlagen</translation>
    </message>
    <message>
        <source>no AOF</source>
        <translation>kein AOF</translation>
    </message>
    <message>
        <source>snapshots</source>
        <translation>Snapshots</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>nichts</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Oldest snapshot</source>
        <translation>Ältester Snapshot</translation>
    </message>
    <message>
        <source>This applies to all %1 masters.</source>
        <translation>Das gilt für alle %1 Master.</translation>
    </message>
    <message>
        <source>This applies to %1.</source>
        <translation>Das gilt für %1.</translation>
    </message>
    <message>
        <source>Used, all nodes</source>
        <translation>Belegt, alle Knoten</translation>
    </message>
    <message>
        <source>Largest replication lag</source>
        <translation>Größter Replikationsrückstand</translation>
    </message>
</context>
<context>
    <name>lk::ServerImport</name>
    <message>
        <source>Server %1</source>
        <translation>Server %1</translation>
    </message>
    <message>
        <source>%1 has no valid address</source>
        <translation>%1 hat keine gültige Adresse</translation>
    </message>
    <message>
        <source>The file is larger than 4 MiB</source>
        <translation>Die Datei ist größer als 4 MiB</translation>
    </message>
    <message>
        <source>Line %1 is not a server URL</source>
        <translation>Zeile %1 ist keine Server-URL</translation>
    </message>
    <message>
        <source>%1: the certificates in the file were left out; choose certificate files in the dialog</source>
        <translation>%1: Die Zertifikate in der Datei wurden weggelassen; wählen Sie im Dialog Zertifikatsdateien aus</translation>
    </message>
    <message>
        <source>%1: ssh uses your own keys and configuration; those in the file were left out</source>
        <translation>%1: ssh verwendet Ihre eigenen Schlüssel und Ihre Konfiguration; die in der Datei wurden weggelassen</translation>
    </message>
    <message>
        <source>The file has more than %1 servers</source>
        <translation>Die Datei hat mehr als %1 Server</translation>
    </message>
    <message>
        <source>No servers found: the file has neither URLs, one per line, nor an export from RedisInsight or Another Redis Desktop Manager</source>
        <translation>Keine Server gefunden: Die Datei enthält weder URLs, eine pro Zeile, noch einen Export aus RedisInsight oder Another Redis Desktop Manager</translation>
    </message>
</context>
<context>
    <name>lk::ServerInfo</name>
    <message>
        <source>%1 % read</source>
        <translation>%1 % gelesen</translation>
    </message>
    <message>
        <source>%1, about %2 left</source>
        <translation>%1, noch etwa %2</translation>
    </message>
</context>
<context>
    <name>lk::ServerPage</name>
    <message>
        <source>Server load</source>
        <translation>Serverlast</translation>
    </message>
    <message>
        <source>commands per second</source>
        <translation>Befehle pro Sekunde</translation>
    </message>
    <message>
        <source>commands</source>
        <translation>Befehle</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>megabytes used</source>
        <translation>Megabyte belegt</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>This console&apos;s load</source>
        <translation>Last durch diese Konsole</translation>
    </message>
    <message>
        <source>own cost</source>
        <translation>eigene Kosten</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>Server</translation>
    </message>
    <message>
        <source>Durability</source>
        <translation>Dauerhaftigkeit</translation>
    </message>
    <message>
        <source>Replication</source>
        <translation>Replikation</translation>
    </message>
    <message>
        <source>This console</source>
        <translation>Diese Konsole</translation>
    </message>
    <message>
        <source>Change feed</source>
        <translation>Änderungs-Feed</translation>
    </message>
    <message>
        <source>Own cost</source>
        <translation>Eigene Kosten</translation>
    </message>
    <message>
        <source>Round trip</source>
        <translation>Round-Trip</translation>
    </message>
    <message>
        <source>Server clock</source>
        <translation>Uhr des Servers</translation>
    </message>
    <message>
        <source>Reading</source>
        <translation>Lesen</translation>
    </message>
    <message>
        <source>Polling interval</source>
        <translation>Abfrageintervall</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>pausiert</translation>
    </message>
    <message>
        <source>every %1</source>
        <translation>alle %1</translation>
    </message>
    <message>
        <source>Primitives known</source>
        <translation>Bekannte Primitive</translation>
    </message>
    <message>
        <source>Changed, not yet read</source>
        <translation>Geändert, noch nicht gelesen</translation>
    </message>
    <message>
        <source>Last scan</source>
        <translation>Letzter Scan</translation>
    </message>
    <message numerus="yes">
        <source>%Ln key(s) in %1</source>
        <translation>
            <numerusform>%Ln Key in %1</numerusform>
            <numerusform>%Ln Keys in %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>running: %Ln key(s) so far</source>
        <translation>
            <numerusform>läuft: bisher %Ln Key</numerusform>
            <numerusform>läuft: bisher %Ln Keys</numerusform>
        </translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>Hottest slots</source>
        <translation>Slots mit der höchsten Last</translation>
    </message>
    <message>
        <source>Connect to %1</source>
        <translation>Mit %1 verbinden</translation>
    </message>
    <message>
        <source>Largest slots</source>
        <translation>Größte Slots</translation>
    </message>
    <message>
        <source>The slots with the most keys. To see the hottest ones, set cluster-slot-stats-enabled to yes on the servers: they count no CPU time for slots.</source>
        <translation>Die Slots mit den meisten Keys. Um die mit der höchsten Last zu sehen, setzen Sie cluster-slot-stats-enabled auf den Servern auf yes: Sie zählen keine CPU-Zeit für Slots.</translation>
    </message>
    <message>
        <source>Recording settings…</source>
        <translation>Aufzeichnung einstellen…</translation>
    </message>
    <message>
        <source>Recording</source>
        <translation>Aufzeichnung</translation>
    </message>
    <message>
        <source>The server, its nodes and the charts of load and memory show the past. All other figures are current, because they are not recorded. Outages, restarts and failovers are on the time bar.</source>
        <translation>Der Server, seine Knoten und die Diagramme für Last und Speicher zeigen die Vergangenheit. Alle anderen Zahlen sind aktuell, denn sie werden nicht aufgezeichnet. Ausfälle, Neustarts und Failover stehen auf der Zeitleiste.</translation>
    </message>
    <message>
        <source>Turn recording on or off; set its size and retention</source>
        <translation>Aufzeichnung ein- oder ausschalten; Größe und Aufbewahrung festlegen</translation>
    </message>
    <message>
        <source>Open the cluster</source>
        <translation>Cluster öffnen</translation>
    </message>
</context>
<context>
    <name>lk::ServerUrl</name>
    <message>
        <source>the user name or password contains a special character; write @ as %40, / as %2F, ? as %3F, # as %23, : as %3A and % as %25</source>
        <translation>Benutzername oder Passwort enthält ein Sonderzeichen; schreiben Sie @ als %40, / als %2F, ? als %3F, # als %23, : als %3A und % als %25</translation>
    </message>
    <message>
        <source>the database must be a number, as in /0</source>
        <translation>die Datenbank muss eine Zahl sein, z. B. /0</translation>
    </message>
    <message>
        <source>the text in brackets is not an IPv6 address</source>
        <translation>der Text in Klammern ist keine IPv6-Adresse</translation>
    </message>
    <message>
        <source>write an IPv6 address in brackets, as in [::1]:6379</source>
        <translation>eine IPv6-Adresse in Klammern schreiben, z. B. [::1]:6379</translation>
    </message>
    <message>
        <source>the host is missing</source>
        <translation>der Host fehlt</translation>
    </message>
    <message>
        <source>the host name contains an invalid character</source>
        <translation>der Hostname enthält ein ungültiges Zeichen</translation>
    </message>
    <message>
        <source>the port must be a number from 1 to 65535</source>
        <translation>der Port muss eine Zahl von 1 bis 65535 sein</translation>
    </message>
    <message>
        <source>write a % in the value of an option as %25</source>
        <translation>ein % im Wert einer Option als %25 schreiben</translation>
    </message>
    <message>
        <source>the option %1 needs a value without control characters</source>
        <translation>die Option %1 braucht einen Wert ohne Steuerzeichen</translation>
    </message>
    <message>
        <source>the option name must be visible ASCII characters without spaces</source>
        <translation>der Optionsname muss aus sichtbaren ASCII-Zeichen ohne Leerzeichen bestehen</translation>
    </message>
    <message>
        <source>the database is given twice</source>
        <translation>die Datenbank ist zweimal angegeben</translation>
    </message>
    <message>
        <source>the option key needs cert, its certificate</source>
        <translation>die Option key braucht cert, ihr Zertifikat</translation>
    </message>
    <message>
        <source>write a % in the socket&apos;s path as %25</source>
        <translation>ein % im Pfad des Sockets als %25 schreiben</translation>
    </message>
    <message>
        <source>the socket&apos;s path is missing; use unix:///path/to/redis.sock</source>
        <translation>der Pfad des Sockets fehlt; verwenden Sie unix:///path/to/redis.sock</translation>
    </message>
    <message>
        <source>the socket&apos;s path contains a control character</source>
        <translation>der Pfad des Sockets enthält ein Steuerzeichen</translation>
    </message>
    <message>
        <source>the socket&apos;s path is longer than %1 bytes, the system&apos;s limit</source>
        <translation>der Pfad des Sockets ist länger als %1 Bytes, die Grenze des Systems</translation>
    </message>
    <message>
        <source>the socket&apos;s path must begin with a slash, as in unix:///path/to/redis.sock</source>
        <translation>der Pfad des Sockets muss mit einem Schrägstrich beginnen, z. B. unix:///path/to/redis.sock</translation>
    </message>
    <message>
        <source>it is empty</source>
        <translation>sie ist leer</translation>
    </message>
    <message>
        <source>it contains a control character</source>
        <translation>sie enthält ein Steuerzeichen</translation>
    </message>
    <message>
        <source>write # as %23</source>
        <translation># als %23 schreiben</translation>
    </message>
    <message>
        <source>only redis-sentinel:// and redis-cluster:// take several addresses</source>
        <translation>nur redis-sentinel:// und redis-cluster:// nehmen mehrere Adressen an</translation>
    </message>
    <message>
        <source>the master&apos;s name is missing, as in redis-sentinel://host:26379/mymaster</source>
        <translation>der Name des Masters fehlt, z. B. redis-sentinel://host:26379/mymaster</translation>
    </message>
    <message>
        <source>the master&apos;s name must be visible ASCII characters without spaces and slashes</source>
        <translation>der Name des Masters muss aus sichtbaren ASCII-Zeichen ohne Leerzeichen und Schrägstriche bestehen</translation>
    </message>
    <message>
        <source>the option %1 is for TLS only, as in rediss://</source>
        <translation>die Option %1 gibt es nur für TLS, z. B. mit rediss://</translation>
    </message>
    <message>
        <source>the option %1 is for redis-sentinel:// only</source>
        <translation>die Option %1 gibt es nur für redis-sentinel://</translation>
    </message>
    <message>
        <source>the option cluster is for redis://, rediss:// and unix:// only</source>
        <translation>die Option cluster gibt es nur für redis://, rediss:// und unix://</translation>
    </message>
    <message>
        <source>the option cluster must be no: this node alone; otherwise leave it out, or begin with redis-cluster://</source>
        <translation>die Option cluster muss no sein: nur dieser Knoten; sonst weglassen oder mit redis-cluster:// beginnen</translation>
    </message>
    <message>
        <source>the option map must be pairs of announced and reachable address, as in map=10.0.0.5:6379=127.0.0.1:7001,10.0.0.6:6379=127.0.0.1:7002</source>
        <translation>die Option map muss aus Paaren von angekündigter und erreichbarer Adresse bestehen, z. B. map=10.0.0.5:6379=127.0.0.1:7001,10.0.0.6:6379=127.0.0.1:7002</translation>
    </message>
    <message>
        <source>the option map has %1 twice</source>
        <translation>die Option map enthält %1 zweimal</translation>
    </message>
    <message>
        <source>it must begin with redis://, rediss://, unix://, redis-sentinel://, redis-cluster:// or ssh://</source>
        <translation>sie muss mit redis://, rediss://, unix://, redis-sentinel://, redis-cluster:// oder ssh:// beginnen</translation>
    </message>
    <message>
        <source>the jump host is given twice</source>
        <translation>der Jump-Host ist zweimal angegeben</translation>
    </message>
    <message>
        <source>a unix socket cannot be reached through ssh; give the server&apos;s host:port as the jump host reaches it</source>
        <translation>ein Unix-Socket ist über ssh nicht erreichbar; geben Sie host:port des Servers so an, wie der Jump-Host ihn erreicht</translation>
    </message>
    <message>
        <source>the option %1 is not for unix://, a path on this machine</source>
        <translation>die Option %1 gibt es nicht für unix://, einen Pfad auf diesem Rechner</translation>
    </message>
    <message>
        <source>unknown option; known: db, name, ca, cert, key, sni, cluster, map, ssh, sentinel_user and sentinel_password</source>
        <translation>unbekannte Option; bekannt: db, name, ca, cert, key, sni, cluster, map, ssh, sentinel_user und sentinel_password</translation>
    </message>
    <message>
        <source>the jump host takes no password: ssh uses your key or agent</source>
        <translation>der Jump-Host nimmt kein Passwort an: ssh verwendet Ihren Schlüssel oder Agent</translation>
    </message>
    <message>
        <source>the jump host&apos;s user name contains an invalid character</source>
        <translation>der Benutzername des Jump-Hosts enthält ein ungültiges Zeichen</translation>
    </message>
</context>
<context>
    <name>lk::SessionActing</name>
    <message>
        <source>stopped here</source>
        <translation>hier angehalten</translation>
    </message>
</context>
<context>
    <name>lk::SessionHeader</name>
    <message>
        <source>10 per second</source>
        <translation>10-mal pro Sekunde</translation>
    </message>
    <message>
        <source>4 per second</source>
        <translation>4-mal pro Sekunde</translation>
    </message>
    <message>
        <source>2 per second</source>
        <translation>2-mal pro Sekunde</translation>
    </message>
    <message>
        <source>Every second</source>
        <translation>Jede Sekunde</translation>
    </message>
    <message>
        <source>Every 5 seconds</source>
        <translation>Alle 5 Sekunden</translation>
    </message>
    <message>
        <source>Polling interval</source>
        <translation>Abfrageintervall</translation>
    </message>
    <message>
        <source>How often visible rows are read</source>
        <translation>Wie oft sichtbare Zeilen gelesen werden</translation>
    </message>
    <message>
        <source>Rescan</source>
        <translation>Neu scannen</translation>
    </message>
    <message>
        <source>Scan all keys again now (F5)</source>
        <translation>Alle Keys jetzt neu scannen (F5)</translation>
    </message>
    <message>
        <source>Connect…</source>
        <translation>Verbinden…</translation>
    </message>
    <message>
        <source>No server</source>
        <translation>Kein Server</translation>
    </message>
    <message>
        <source>clock %1</source>
        <translation>Uhr %1</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>pausiert</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pausieren</translation>
    </message>
    <message>
        <source>Resume reading (Ctrl+P)</source>
        <translation>Lesen fortsetzen (Ctrl+P)</translation>
    </message>
    <message>
        <source>Stop reading until resumed (Ctrl+P)</source>
        <translation>Lesen anhalten, bis es fortgesetzt wird (Ctrl+P)</translation>
    </message>
    <message>
        <source>Open another deployment (Ctrl+N)</source>
        <translation>Weiteres Deployment öffnen (Ctrl+N)</translation>
    </message>
</context>
<context>
    <name>lk::SessionHistory</name>
    <message>
        <source>Not recorded</source>
        <translation>Nicht aufgezeichnet</translation>
    </message>
</context>
<context>
    <name>lk::SharedOptions</name>
    <message>
        <source>Use this configuration file for what Redis does not store: limits, windows, companion lists. Default: ~/.config/lockkeeper/lockkeeper.toml, if it exists</source>
        <translation>Diese Konfigurationsdatei für das verwenden, was Redis nicht speichert: Limits, Fenster, zugehörige Listen. Vorgabe: ~/.config/lockkeeper/lockkeeper.toml, falls vorhanden</translation>
    </message>
    <message>
        <source>lockkeeper --help describes URL. Set LOCKKEEPER_PASSWORD to keep a password out of it.
</source>
        <translation>lockkeeper --help beschreibt URL. Mit LOCKKEEPER_PASSWORD bleibt das Passwort aus ihr heraus.
</translation>
    </message>
    <message>
        <source>Add the layout files of this folder to the built-in layouts and to those of ~/.config/lockkeeper/layouts. Default: none</source>
        <translation>Die Layoutdateien dieses Ordners zu den eingebauten Layouts und denen aus ~/.config/lockkeeper/layouts hinzufügen. Vorgabe: keine</translation>
    </message>
    <message>
        <source>Encrypt what undo needs with the key in this file, which is made if it is missing. Default: LOCKKEEPER_UNDO_KEY (a file, or a key in base64), else the desktop&apos;s keyring, else the kernel&apos;s memory until you log out</source>
        <translation>Verschlüsselt, was zum Rückgängigmachen nötig ist, mit dem Schlüssel in dieser Datei, die angelegt wird, wenn sie fehlt. Standard: LOCKKEEPER_UNDO_KEY (eine Datei oder ein Schlüssel in Base64), sonst der Schlüsselbund des Desktops, sonst der Speicher des Kernels bis zur Abmeldung</translation>
    </message>
</context>
<context>
    <name>lk::SilenceDialog</name>
    <message>
        <source>Silence an alert – Lockkeeper</source>
        <translation>Alarm stummschalten – Lockkeeper</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%1 bei %2</translation>
    </message>
    <message>
        <source>all alerts of the rule %1</source>
        <translation>alle Alarme der Regel %1</translation>
    </message>
    <message>
        <source>all alerts on %1</source>
        <translation>alle Alarme bei %1</translation>
    </message>
    <message>
        <source>for %1</source>
        <translation>für %1</translation>
    </message>
    <message>
        <source>Silence %1</source>
        <translation>%1 stummschalten</translation>
    </message>
    <message>
        <source>&amp;What</source>
        <translation>&amp;Was</translation>
    </message>
    <message>
        <source>&amp;Until</source>
        <translation>&amp;Bis</translation>
    </message>
    <message>
        <source>&amp;Reason</source>
        <translation>&amp;Grund</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>&amp;Silence</source>
        <translation>&amp;Stummschalten</translation>
    </message>
    <message>
        <source>until ended manually</source>
        <translation>bis zur manuellen Aufhebung</translation>
    </message>
    <message>
        <source>for example: maintenance, known bug</source>
        <translation>zum Beispiel: Wartung, bekannter Fehler</translation>
    </message>
    <message>
        <source>The alert stays on the board, but nobody is notified while it is silenced. Everyone on this machine sees who silenced it.</source>
        <translation>Der Alarm bleibt auf dem Board, aber niemand wird benachrichtigt, solange er stummgeschaltet ist. Alle auf diesem Rechner sehen, wer ihn stummgeschaltet hat.</translation>
    </message>
    <message>
        <source>until a time…</source>
        <translation>bis zu einer Zeit …</translation>
    </message>
    <message>
        <source>+2h, 06:00</source>
        <translation>+2h, 06:00</translation>
    </message>
    <message>
        <source>&amp;Time</source>
        <translation>&amp;Zeit</translation>
    </message>
</context>
<context>
    <name>lk::SilencesDialog</name>
    <message>
        <source>all alerts</source>
        <translation>alle Alarme</translation>
    </message>
    <message>
        <source>all alerts of the rule %1</source>
        <translation>alle Alarme der Regel %1</translation>
    </message>
    <message>
        <source>all alerts on %1</source>
        <translation>alle Alarme bei %1</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%1 bei %2</translation>
    </message>
    <message>
        <source>Nothing is silenced.</source>
        <translation>Nichts ist stummgeschaltet.</translation>
    </message>
    <message>
        <source>&amp;End silence</source>
        <translation>Stummschaltung &amp;beenden</translation>
    </message>
    <message>
        <source>Silences – Lockkeeper</source>
        <translation>Stummschaltungen – Lockkeeper</translation>
    </message>
    <message>
        <source>What</source>
        <translation>Was</translation>
    </message>
    <message>
        <source>Until</source>
        <translation>Bis</translation>
    </message>
    <message>
        <source>By</source>
        <translation>Von</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>Grund</translation>
    </message>
    <message>
        <source>Silences</source>
        <translation>Stummschaltungen</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>Schl&amp;ießen</translation>
    </message>
    <message>
        <source>ended manually</source>
        <translation>zur manuellen Aufhebung</translation>
    </message>
    <message>
        <source>Silenced alerts send no notifications. Silences that match no open alert are listed, too.</source>
        <translation>Stummgeschaltete Alarme senden keine Benachrichtigungen. Auch Stummschaltungen ohne offenen Alarm sind aufgeführt.</translation>
    </message>
</context>
<context>
    <name>lk::SlotModel</name>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>Of one core, in the last ten seconds</source>
        <translation>Anteil eines Kerns in den letzten zehn Sekunden</translation>
    </message>
    <message>
        <source>Since the server began to count</source>
        <translation>Seit der Server zu zählen begann</translation>
    </message>
    <message>
        <source>Slot</source>
        <translation>Slot</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>CPU time</source>
        <translation>CPU-Zeit</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>Keys</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Received</source>
        <translation>Empfangen</translation>
    </message>
    <message>
        <source>Sent</source>
        <translation>Gesendet</translation>
    </message>
</context>
<context>
    <name>lk::SlotSpreadView</name>
    <message>
        <source>▾ the resource&apos;s slot</source>
        <translation>▾ Slot der Ressource</translation>
    </message>
    <message>
        <source>The first %1 keys</source>
        <translation>Die ersten %1 Keys</translation>
    </message>
    <message numerus="yes">
        <source>All %Ln keys</source>
        <translation>
            <numerusform>%Ln Key</numerusform>
            <numerusform>Alle %Ln Keys</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 are in slot %2: on a cluster one script can use them together</source>
        <translation>%1 in Slot %2: Im Cluster kann ein Skript sie zusammen benutzen</translation>
    </message>
    <message>
        <source>%1 are in %2 slots; %3 not in the resource&apos;s slot %4. On a cluster a script that uses both is rejected (CROSSSLOT): give their names a common {hash tag}</source>
        <translation>%1 in %2 Slots; %3 nicht im Slot %4 der Ressource. Im Cluster wird ein Skript, das beide benutzt, abgewiesen (CROSSSLOT): Geben Sie den Namen ein gemeinsames {hash tag}</translation>
    </message>
    <message>
        <source>Cluster slots</source>
        <translation>Cluster-Slots</translation>
    </message>
</context>
<context>
    <name>lk::SlotTable</name>
    <message>
        <source>Slots</source>
        <translation>Slots</translation>
    </message>
</context>
<context>
    <name>lk::SnapshotCommand</name>
    <message>
        <source>Not read: %1</source>
        <translation>Nicht gelesen: %1</translation>
    </message>
</context>
<context>
    <name>lk::SnapshotTaker</name>
    <message>
        <source>reading %1: no progress for %2, %3 keys scanned</source>
        <translation>Lesen von %1: seit %2 kein Fortschritt, %3 Keys gescannt</translation>
    </message>
    <message>
        <source>no key can be scanned</source>
        <translation>kein Key kann gescannt werden</translation>
    </message>
</context>
<context>
    <name>lk::SnapshotText</name>
    <message>
        <source>%1, jobs: %2</source>
        <translation>%1, Jobs: %2</translation>
    </message>
    <message numerus="yes">
        <source>… and %n more</source>
        <translation>
            <numerusform>… und %n weiterer</numerusform>
            <numerusform>… und %n weitere</numerusform>
        </translation>
    </message>
    <message>
        <source>Findings (%1)</source>
        <translation>Befunde (%1)</translation>
    </message>
    <message>
        <source>silenced: %1</source>
        <translation>stummgeschaltet: %1</translation>
    </message>
    <message>
        <source>Scanned %1 keys: %2 detected, %3 not recognized, %4 skipped. %5 commands in %6.</source>
        <translation>%1 Keys gescannt: %2 erkannt, %3 nicht erkannt, %4 übersprungen. %5 Befehle in %6.</translation>
    </message>
    <message>
        <source>Incomplete:</source>
        <translation>Unvollständig:</translation>
    </message>
    <message>
        <source>A replica of %1; data may lag slightly.</source>
        <translation>Ein Replikat von %1; die Daten können leicht veraltet sein.</translation>
    </message>
    <message>
        <source>Times are from INFO&apos;s clock: no permission for TIME.</source>
        <translation>Zeiten stammen von der Uhr aus INFO: keine Berechtigung für TIME.</translation>
    </message>
    <message>
        <source>Times are from this machine&apos;s clock, which may differ from the server&apos;s: no permission for TIME and INFO.</source>
        <translation>Zeiten stammen von der Uhr dieses Rechners, die von der des Servers abweichen kann: keine Berechtigung für TIME und INFO.</translation>
    </message>
    <message>
        <source>Reading marks keys as recently used, and this server evicts by use: CLIENT NO-TOUCH is missing, unsafe or denied.</source>
        <translation>Das Lesen markiert Keys als kürzlich benutzt, und dieser Server verdrängt nach Benutzung: CLIENT NO-TOUCH fehlt, ist unsicher oder nicht erlaubt.</translation>
    </message>
    <message>
        <source>No limiter, lock, queue or token was detected. Declare your own keys in a configuration file and pass it with --config.</source>
        <translation>Kein Limiter, Lock, Token und keine Warteschlange erkannt. Deklarieren Sie eigene Keys in einer Konfigurationsdatei und übergeben Sie diese mit --config.</translation>
    </message>
    <message>
        <source>Possible but not proven, and not counted: %1. Declare those that are real; --format json lists them.</source>
        <translation>Möglich, aber nicht bewiesen und nicht gezählt: %1. Deklarieren Sie, was zutrifft; --format json nennt sie.</translation>
    </message>
    <message numerus="yes">
        <source>%n masters</source>
        <translation>
            <numerusform>%n Master</numerusform>
            <numerusform>%n Master</numerusform>
        </translation>
    </message>
    <message>
        <source>about %1 (%2 to %3; seen %4)</source>
        <translation>etwa %1 (%2 bis %3; gesehen %4)</translation>
    </message>
    <message>
        <source>Estimates for all %1 keys, from %2 of them, with 95 % confidence</source>
        <translation>Schätzungen für alle %1 Keys, aus %2 davon, mit 95 % Konfidenz</translation>
    </message>
    <message>
        <source>master %1</source>
        <translation>Master %1</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n masters</source>
        <translation>
            <numerusform>%1 von %n Master</numerusform>
            <numerusform>%1 von %n Mastern</numerusform>
        </translation>
    </message>
    <message>
        <source>The tables show what was seen, most severe first.</source>
        <translation>Die Tabellen zeigen, was gesehen wurde, das Schwerste zuerst.</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>A replica of %1, last contact %2 ago; data may lag slightly.</source>
        <translation>Ein Replikat von %1, letzter Kontakt vor %2; die Daten können leicht zurückliegen.</translation>
    </message>
    <message>
        <source>The fullest of what was seen</source>
        <translation>Am vollsten von dem, was gelesen wurde</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message numerus="yes">
        <source>%n job(s)</source>
        <translation>
            <numerusform>%n Job</numerusform>
            <numerusform>%n Jobs</numerusform>
        </translation>
    </message>
    <message>
        <source>The oldest of what was seen</source>
        <translation>Am ältesten von dem, was gelesen wurde</translation>
    </message>
    <message>
        <source>last request %1 ago</source>
        <translation>letzte Anfrage vor %1</translation>
    </message>
    <message>
        <source>held for %1</source>
        <translation>seit %1 gehalten</translation>
    </message>
    <message>
        <source>oldest job: %1</source>
        <translation>ältester Job: %1</translation>
    </message>
</context>
<context>
    <name>lk::SpanPicker</name>
    <message>
        <source>Time span of the charts</source>
        <translation>Zeitspanne der Diagramme</translation>
    </message>
    <message>
        <source>Show the last %1</source>
        <translation>Letzte %1 anzeigen</translation>
    </message>
</context>
<context>
    <name>lk::SshTunnel</name>
    <message>
        <source>ssh is not installed; on Debian: apt install openssh-client</source>
        <translation>ssh ist nicht installiert; unter Debian: apt install openssh-client</translation>
    </message>
    <message>
        <source>%1, looked up by %2</source>
        <translation>%1, aufgelöst von %2</translation>
    </message>
    <message>
        <source>%1, tried from %2</source>
        <translation>%1, versucht von %2 aus</translation>
    </message>
    <message>
        <source>connecting to %1 from %2</source>
        <translation>Verbindungsaufbau zu %1 von %2 aus</translation>
    </message>
    <message>
        <source>to %1 from %2: %3</source>
        <translation>zu %1 von %2 aus: %3</translation>
    </message>
    <message>
        <source>ssh to %1 ended</source>
        <translation>ssh zu %1 wurde beendet</translation>
    </message>
    <message>
        <source>ssh to %1: %2</source>
        <translation>ssh zu %1: %2</translation>
    </message>
    <message>
        <source>%1 does not allow forwarding to %2; allow it in its sshd_config (AllowTcpForwarding, PermitOpen)</source>
        <translation>%1 erlaubt keine Weiterleitung an %2; die sshd_config dort muss sie erlauben (AllowTcpForwarding, PermitOpen)</translation>
    </message>
    <message>
        <source>The host key of the jump host %1 is unknown (%2); verify and accept it with: ssh %1</source>
        <translation>Der Schlüssel des Jump-Hosts %1 ist nicht bekannt (%2); vergleichen und akzeptieren Sie ihn mit: ssh %1</translation>
    </message>
    <message>
        <source>The jump host %1 refused the login (%2); first make this work without a prompt: ssh %1</source>
        <translation>Der Jump-Host %1 hat die Anmeldung abgelehnt (%2); zuerst muss dies ohne Rückfrage funktionieren: ssh %1</translation>
    </message>
</context>
<context>
    <name>lk::StageList</name>
    <message>
        <source>Connection test</source>
        <translation>Verbindungstest</translation>
    </message>
    <message>
        <source>OK</source>
        <translation>OK</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>Warnung</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>Fehlgeschlagen</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
</context>
<context>
    <name>lk::State</name>
    <message>
        <source>idle</source>
        <comment>limiter</comment>
        <translation>im Leerlauf</translation>
    </message>
    <message>
        <source>limit unknown</source>
        <comment>limiter</comment>
        <translation>Limit unbekannt</translation>
    </message>
    <message>
        <source>closed</source>
        <comment>gate</comment>
        <translation>geschlossen</translation>
    </message>
    <message>
        <source>open</source>
        <comment>gate</comment>
        <translation>offen</translation>
    </message>
    <message>
        <source>full</source>
        <comment>limiter</comment>
        <translation>voll</translation>
    </message>
    <message>
        <source>filling</source>
        <comment>limiter</comment>
        <translation>füllt sich</translation>
    </message>
    <message>
        <source>normal</source>
        <comment>limiter</comment>
        <translation>normal</translation>
    </message>
    <message>
        <source>held</source>
        <comment>lock</comment>
        <translation>gehalten</translation>
    </message>
    <message>
        <source>expired</source>
        <comment>lock</comment>
        <translation>abgelaufen</translation>
    </message>
    <message>
        <source>no TTL</source>
        <comment>lock</comment>
        <translation>ohne TTL</translation>
    </message>
    <message>
        <source>free</source>
        <comment>lock</comment>
        <translation>frei</translation>
    </message>
    <message>
        <source>stuck</source>
        <comment>queue</comment>
        <translation>hängt</translation>
    </message>
    <message>
        <source>dead letters</source>
        <comment>queue</comment>
        <translation>Dead Letters</translation>
    </message>
    <message>
        <source>in progress</source>
        <comment>queue</comment>
        <translation>in Arbeit</translation>
    </message>
    <message>
        <source>waiting</source>
        <comment>queue</comment>
        <translation>wartend</translation>
    </message>
    <message>
        <source>empty</source>
        <comment>queue</comment>
        <translation>leer</translation>
    </message>
    <message>
        <source>live</source>
        <comment>token</comment>
        <translation>aktiv</translation>
    </message>
    <message>
        <source>used</source>
        <comment>token</comment>
        <translation>verbraucht</translation>
    </message>
    <message>
        <source>never issued</source>
        <comment>token</comment>
        <translation>nie ausgestellt</translation>
    </message>
    <message>
        <source>expired</source>
        <comment>token</comment>
        <translation>abgelaufen</translation>
    </message>
    <message>
        <source>cleaned up</source>
        <comment>token</comment>
        <translation>bereinigt</translation>
    </message>
    <message>
        <source>revoked</source>
        <comment>token</comment>
        <translation>widerrufen</translation>
    </message>
    <message>
        <source>deleted</source>
        <comment>token</comment>
        <translation>gelöscht</translation>
    </message>
    <message>
        <source>blocked</source>
        <comment>cache</comment>
        <translation>blockiert</translation>
    </message>
    <message>
        <source>rebuilding</source>
        <comment>cache</comment>
        <translation>im Neuaufbau</translation>
    </message>
    <message>
        <source>cached</source>
        <comment>cache</comment>
        <translation>im Cache</translation>
    </message>
    <message>
        <source>not cached</source>
        <comment>cache</comment>
        <translation>nicht im Cache</translation>
    </message>
    <message>
        <source>live</source>
        <comment>session</comment>
        <translation>aktiv</translation>
    </message>
    <message>
        <source>ended</source>
        <comment>session</comment>
        <translation>beendet</translation>
    </message>
    <message>
        <source>present</source>
        <comment>pattern</comment>
        <translation>vorhanden</translation>
    </message>
    <message>
        <source>absent</source>
        <comment>pattern</comment>
        <translation>nicht vorhanden</translation>
    </message>
    <message>
        <source>sliding log</source>
        <translation>Sliding Log</translation>
    </message>
    <message>
        <source>fixed window</source>
        <translation>Fixed Window</translation>
    </message>
    <message>
        <source>gate</source>
        <translation>Gate</translation>
    </message>
    <message>
        <source>permit log</source>
        <translation>Permit-Log</translation>
    </message>
    <message>
        <source>token bucket</source>
        <translation>Token Bucket</translation>
    </message>
    <message>
        <source>GCRA</source>
        <translation>GCRA</translation>
    </message>
    <message>
        <source>sliding counter</source>
        <translation>Sliding Counter</translation>
    </message>
    <message>
        <source>unreadable</source>
        <comment>any primitive</comment>
        <translation>nicht lesbar</translation>
    </message>
    <message>
        <source>concurrency</source>
        <translation>Concurrency</translation>
    </message>
    <message>
        <source>one vote</source>
        <comment>lock</comment>
        <translation>eine Stimme</translation>
    </message>
    <message>
        <source>paused</source>
        <comment>queue</comment>
        <translation>pausiert</translation>
    </message>
    <message>
        <source>overdue</source>
        <comment>queue</comment>
        <translation>überfällig</translation>
    </message>
    <message>
        <source>delayed</source>
        <comment>queue</comment>
        <translation>verzögert</translation>
    </message>
</context>
<context>
    <name>lk::StatusLine</name>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Stop the scan</source>
        <translation>Scan anhalten</translation>
    </message>
    <message>
        <source>Stop the scan (Shift+F5); F5 scans again</source>
        <translation>Scan anhalten (Shift+F5); F5 scannt neu</translation>
    </message>
    <message>
        <source>changes: %1</source>
        <translation>Änderungen: %1</translation>
    </message>
    <message>
        <source>own cost %1</source>
        <translation>eigene Kosten %1</translation>
    </message>
    <message>
        <source> · %1 changes waiting</source>
        <translation> · %1 Änderungen warten</translation>
    </message>
    <message>
        <source>Load that this console puts on the server. Round trip %1, clock %2.</source>
        <translation>Last, die diese Konsole auf dem Server erzeugt. Round-Trip %1, Uhr %2.</translation>
    </message>
</context>
<context>
    <name>lk::StatusTexts</name>
    <message>
        <source>%1/s</source>
        <translation>%1/s</translation>
    </message>
    <message>
        <source>starting</source>
        <translation>startet</translation>
    </message>
    <message>
        <source>client tracking, prefixes: %1</source>
        <translation>Client-Tracking, Präfixe: %1</translation>
    </message>
    <message>
        <source>keyspace notifications, prefixes: %1</source>
        <translation>Keyspace-Notifications, Präfixe: %1</translation>
    </message>
    <message>
        <source>polling only</source>
        <translation>nur Polling</translation>
    </message>
    <message>
        <source>Finding out how this server reports changes</source>
        <translation>Es wird ermittelt, wie dieser Server Änderungen meldet</translation>
    </message>
    <message>
        <source>The server reports which keys change (client tracking, only for detected primitives; its configuration is untouched). Cost: %1.</source>
        <translation>Der Server meldet, welche Keys sich ändern (Client-Tracking, nur für erkannte Primitive; seine Konfiguration bleibt unberührt). Kosten: %1.</translation>
    </message>
    <message>
        <source>Keyspace notifications were already on and are used. Cost: %1.</source>
        <translation>Keyspace-Notifications waren schon an und werden verwendet. Kosten: %1.</translation>
    </message>
    <message>
        <source>Changes off screen are noticed by polling and rescans only</source>
        <translation>Änderungen außerhalb des Bildschirms werden nur durch Polling und neue Scans bemerkt</translation>
    </message>
    <message>
        <source>Changes off screen are noticed by polling and rescans only: %1</source>
        <translation>Änderungen außerhalb des Bildschirms werden nur durch Polling und neue Scans bemerkt: %1</translation>
    </message>
    <message>
        <source>%1 commands/s, %2</source>
        <translation>%1 Befehle/s, %2</translation>
    </message>
    <message>
        <source> · payloads waiting: %1</source>
        <translation> · wartende Payloads: %1</translation>
    </message>
    <message>
        <source>Jobs and list members are read when they change, at most %1.</source>
        <translation>Jobs und Listenmitglieder werden bei Änderungen gelesen, höchstens %1.</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>unknown: no permission for TIME and INFO; this machine&apos;s clock is used</source>
        <translation>unbekannt: keine Berechtigung für TIME und INFO; die Uhr dieses Rechners gilt</translation>
    </message>
    <message>
        <source>not measured yet</source>
        <translation>noch nicht gemessen</translation>
    </message>
    <message>
        <source>same as this machine&apos;s</source>
        <translation>wie auf diesem Rechner</translation>
    </message>
    <message>
        <source>%1 ahead of this machine&apos;s</source>
        <translation>%1 vor der dieses Rechners</translation>
    </message>
    <message>
        <source>%1 behind this machine&apos;s</source>
        <translation>%1 hinter der dieses Rechners</translation>
    </message>
    <message>
        <source>%1, from INFO: no permission for TIME</source>
        <translation>%1, aus INFO: keine Berechtigung für TIME</translation>
    </message>
    <message>
        <source>does not mark keys as used (CLIENT NO-TOUCH)</source>
        <translation>markiert Keys nicht als benutzt (CLIENT NO-TOUCH)</translation>
    </message>
    <message>
        <source>Keys are not scanned: %1. Retrying automatically.</source>
        <translation>Keys werden nicht gescannt: %1. Neuer Versuch erfolgt automatisch.</translation>
    </message>
    <message>
        <source>keys are not scanned: %1</source>
        <translation>Keys werden nicht gescannt: %1</translation>
    </message>
    <message>
        <source>scanned %1 · detected %2 · not recognized %3</source>
        <translation>gescannt %1 · erkannt %2 · nicht erkannt %3</translation>
    </message>
    <message>
        <source> · skipped %1</source>
        <translation> · übersprungen %1</translation>
    </message>
    <message>
        <source> · incomplete</source>
        <translation> · unvollständig</translation>
    </message>
    <message>
        <source>Detected keys belong to a primitive; keys not recognized are counted and left alone</source>
        <translation>Erkannte Keys gehören zu einem Primitiv; nicht erkannte werden gezählt und in Ruhe gelassen</translation>
    </message>
    <message>
        <source>Not connected.</source>
        <translation>Nicht verbunden.</translation>
    </message>
    <message>
        <source>Looking up %1…</source>
        <translation>Namensauflösung für %1…</translation>
    </message>
    <message>
        <source>Connecting to %1…</source>
        <translation>Verbindung zu %1 wird aufgebaut…</translation>
    </message>
    <message>
        <source>Logging in at %1…</source>
        <translation>Anmeldung bei %1…</translation>
    </message>
    <message>
        <source>Connected.</source>
        <translation>Verbunden.</translation>
    </message>
    <message>
        <source>Connection lost %1 ago: </source>
        <translation>Verbindung vor %1 abgebrochen: </translation>
    </message>
    <message>
        <source> Retrying in %1 s.</source>
        <translation> Neuer Versuch in %1 s.</translation>
    </message>
    <message>
        <source>No answer from %1: keys there are shown as they last were, or not at all. Retrying automatically.</source>
        <translation>Keine Antwort von %1: die Keys dort sind hier so, wie sie zuletzt waren, oder fehlen. Neuer Versuch erfolgt automatisch.</translation>
    </message>
    <message numerus="yes">
        <source>; %n node(s) polled</source>
        <translation>
            <numerusform>; %n Knoten per Polling</numerusform>
            <numerusform>; %n Knoten per Polling</numerusform>
        </translation>
    </message>
    <message>
        <source>What is on %1 is polled instead: %2.</source>
        <translation>Was auf %1 liegt, wird stattdessen per Polling gelesen: %2.</translation>
    </message>
    <message>
        <source>Boards show these keys only. Estimate the rest with lockkeeper snapshot URL --sample 100000, or raise the limit (Server menu) and rescan.</source>
        <translation>Die Boards zeigen nur diese Keys. Den Rest schätzt lockkeeper snapshot URL --sample 100000; oder das Limit erhöhen (Menü Server) und neu scannen.</translation>
    </message>
    <message>
        <source>Failover: waiting for the new master.</source>
        <translation>Failover: Warten auf den neuen Master.</translation>
    </message>
    <message>
        <source>Failover: connecting to the new master %1.</source>
        <translation>Failover: Verbindung zum neuen Master %1 wird hergestellt.</translation>
    </message>
    <message>
        <source>marks keys as recently used: CLIENT NO-TOUCH is missing, unsafe or denied. This server evicts by use, so rows off screen are read half as often</source>
        <translation>markiert Schlüssel als kürzlich benutzt: CLIENT NO-TOUCH fehlt, ist unsicher oder verboten. Dieser Server verdrängt nach Nutzung, daher werden nicht sichtbare Zeilen halb so oft gelesen</translation>
    </message>
    <message>
        <source>marks keys as recently used, which this server does not evict by</source>
        <translation>markiert Schlüssel als kürzlich benutzt, wonach dieser Server nicht verdrängt</translation>
    </message>
</context>
<context>
    <name>lk::StepModel</name>
    <message>
        <source>planned</source>
        <translation>geplant</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>ja</translation>
    </message>
    <message>
        <source>no</source>
        <translation>nein</translation>
    </message>
    <message>
        <source>skipped</source>
        <translation>übersprungen</translation>
    </message>
    <message>
        <source>would conflict</source>
        <translation>gäbe Konflikt</translation>
    </message>
    <message>
        <source>not run</source>
        <translation>nicht ausgeführt</translation>
    </message>
    <message>
        <source>not run: stopped</source>
        <translation>nicht ausgeführt: angehalten</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation>Ausgang</translation>
    </message>
    <message>
        <source>State and outcome</source>
        <translation>Zustand und Ausgang</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>Server</translation>
    </message>
    <message>
        <source>unchanged</source>
        <translation>unverändert</translation>
    </message>
</context>
<context>
    <name>lk::SuggestedFix</name>
    <message>
        <source>this session is read-only</source>
        <translation>diese Sitzung liest nur</translation>
    </message>
    <message>
        <source>this is the past</source>
        <translation>das ist die Vergangenheit</translation>
    </message>
</context>
<context>
    <name>lk::SummaryList</name>
    <message>
        <source>%1 /s</source>
        <translation>%1 /s</translation>
    </message>
    <message>
        <source>%1 waiting</source>
        <translation>%1 wartend</translation>
    </message>
    <message>
        <source>%1 waiting, %2 in progress</source>
        <translation>%1 wartend, %2 in Arbeit</translation>
    </message>
    <message>
        <source>%1 /min</source>
        <translation>%1 /min</translation>
    </message>
    <message>
        <source>%1 /h</source>
        <translation>%1 /h</translation>
    </message>
</context>
<context>
    <name>lk::TakenCheck</name>
    <message>
        <source>taken after %1</source>
        <translation>nach %1 übernommen</translation>
    </message>
    <message>
        <source>taken by %1 after %2</source>
        <translation>nach %2 von %1 übernommen</translation>
    </message>
    <message>
        <source>not taken: the queue is paused</source>
        <translation>nicht übernommen: Die Warteschlange ist pausiert</translation>
    </message>
    <message>
        <source>not taken: no worker listens</source>
        <translation>nicht übernommen: Kein Worker wartet auf Jobs</translation>
    </message>
    <message>
        <source>not taken within %1</source>
        <translation>nicht innerhalb von %1 übernommen</translation>
    </message>
    <message>
        <source>it is not known whether it was taken: %1</source>
        <translation>es ist nicht bekannt, ob er übernommen wurde: %1</translation>
    </message>
</context>
<context>
    <name>lk::TargetSearch</name>
    <message>
        <source>%1 is ambiguous; give a key name</source>
        <translation>%1 ist mehrdeutig; geben Sie einen Key-Namen an</translation>
    </message>
</context>
<context>
    <name>lk::TeamFile</name>
    <message>
        <source>unknown table; write [[server]]</source>
        <translation>unbekannte Tabelle; schreiben Sie [[server]]</translation>
    </message>
    <message>
        <source>&quot;server&quot; is written as [[server]], once for each server</source>
        <translation>&quot;server&quot; wird als [[server]] geschrieben, einmal für jeden Server</translation>
    </message>
    <message>
        <source>more than %1 servers</source>
        <translation>mehr als %1 Server</translation>
    </message>
    <message>
        <source>&quot;url&quot; is missing; write url = &quot;redis://host:6379/0&quot;</source>
        <translation>&quot;url&quot; fehlt; schreiben Sie url = &quot;redis://host:6379/0&quot;</translation>
    </message>
    <message>
        <source>a team file holds no password; remove it: each person is asked for their own, which the keyring can keep</source>
        <translation>eine Team-Datei enthält kein Passwort; entfernen Sie es: Jede Person wird nach ihrem eigenen gefragt, das der Schlüsselbund aufbewahren kann</translation>
    </message>
    <message>
        <source>%1: larger than 1 MiB</source>
        <translation>%1: größer als 1 MiB</translation>
    </message>
    <message>
        <source>unknown key; known: url, name, environment, group and config</source>
        <translation>unbekannter Schlüssel; bekannt: url, name, environment, group und config</translation>
    </message>
    <message>
        <source>not a server URL; write it as redis://host:6379/0, without a password</source>
        <translation>keine Server-URL; schreiben Sie sie als redis://host:6379/0, ohne Passwort</translation>
    </message>
    <message>
        <source>this is not valid TOML</source>
        <translation>das ist kein gültiges TOML</translation>
    </message>
    <message>
        <source>this server is already listed</source>
        <translation>dieser Server steht schon da</translation>
    </message>
    <message>
        <source>expected a string in quotes</source>
        <translation>hier wird eine Zeichenkette in Anführungszeichen erwartet</translation>
    </message>
    <message>
        <source>expected one line of at most %1 characters</source>
        <translation>hier wird eine Zeile mit höchstens %1 Zeichen erwartet</translation>
    </message>
</context>
<context>
    <name>lk::TimeBar</name>
    <message>
        <source>Previous event</source>
        <translation>Vorheriges Ereignis</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>Abspielen</translation>
    </message>
    <message>
        <source>Play the recording from here (Space on the time bar)</source>
        <translation>Die Aufzeichnung ab hier abspielen (Space auf der Zeitleiste)</translation>
    </message>
    <message>
        <source>Next event</source>
        <translation>Nächstes Ereignis</translation>
    </message>
    <message>
        <source>Show the moment of the next event (Ctrl+Right on the time bar)</source>
        <translation>Zeitpunkt des nächsten Ereignisses zeigen (Ctrl+Right auf der Zeitleiste)</translation>
    </message>
    <message>
        <source>Back to live</source>
        <translation>Zurück zu live</translation>
    </message>
    <message>
        <source>%1×</source>
        <translation>%1×</translation>
    </message>
    <message>
        <source>Playback speed</source>
        <translation>Wiedergabegeschwindigkeit</translation>
    </message>
    <message>
        <source>How fast the recording plays</source>
        <translation>Wie schnell die Aufzeichnung abgespielt wird</translation>
    </message>
    <message>
        <source>Time to show</source>
        <translation>Anzuzeigende Zeit</translation>
    </message>
    <message>
        <source>03:12, -2h, now</source>
        <translation>03:12, -2h, now</translation>
    </message>
    <message>
        <source>Stop playing</source>
        <translation>Wiedergabe anhalten</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Live</source>
        <translation>Live</translation>
    </message>
    <message>
        <source>Click to show another time (Ctrl+T)</source>
        <translation>Klicken, um eine andere Zeit zu zeigen (Ctrl+T)</translation>
    </message>
    <message>
        <source>Time shown: %1</source>
        <translation>Gezeigte Zeit: %1</translation>
    </message>
    <message>
        <source>Playing %1, %2 ago. Actions are off.</source>
        <translation>Wiedergabe von %1, vor %2. Aktionen sind aus.</translation>
    </message>
    <message>
        <source>Nothing was recorded then: values are from %1.</source>
        <translation>Zu dieser Zeit wurde nichts aufgezeichnet: Die Werte sind von %1.</translation>
    </message>
    <message numerus="yes">
        <source>and %Ln more at that moment</source>
        <translation>
            <numerusform>und %Ln weiteres in diesem Moment</numerusform>
            <numerusform>und %Ln weitere in diesem Moment</numerusform>
        </translation>
    </message>
    <message>
        <source>Showing %1, %2 ago. Actions are off.</source>
        <translation>Zu sehen ist %1, vor %2. Aktionen sind aus.</translation>
    </message>
    <message>
        <source>Show the moment of the previous event (Ctrl+Left on the time bar)</source>
        <translation>Zeitpunkt des vorherigen Ereignisses zeigen (Ctrl+Left auf der Zeitleiste)</translation>
    </message>
    <message>
        <source>Show live data again (End on the time bar)</source>
        <translation>Wieder Live-Daten zeigen (End auf der Zeitleiste)</translation>
    </message>
</context>
<context>
    <name>lk::TimeChart</name>
    <message>
        <source>No samples yet</source>
        <translation>Noch keine Messwerte</translation>
    </message>
    <message numerus="yes">
        <source>%Ln gap(s) without data</source>
        <translation>
            <numerusform>%Ln Lücke ohne Daten</numerusform>
            <numerusform>%Ln Lücken ohne Daten</numerusform>
        </translation>
    </message>
    <message>
        <source>the last %1</source>
        <translation>die letzten %1</translation>
    </message>
    <message>
        <source>%1 from %2</source>
        <translation>%1 ab %2</translation>
    </message>
    <message>
        <source>compared with %1</source>
        <translation>verglichen mit %1</translation>
    </message>
    <message numerus="yes">
        <source>%Ln event(s)</source>
        <translation>
            <numerusform>%Ln Ereignis</numerusform>
            <numerusform>%Ln Ereignisse</numerusform>
        </translation>
    </message>
    <message>
        <source>Loading…</source>
        <translation>Wird geladen…</translation>
    </message>
</context>
<context>
    <name>lk::TimePlot</name>
    <message>
        <source>no data</source>
        <translation>keine Daten</translation>
    </message>
    <message>
        <source>No samples yet</source>
        <translation>Noch keine Messwerte</translation>
    </message>
    <message>
        <source> (%1: %2)</source>
        <translation> (%1: %2)</translation>
    </message>
    <message>
        <source>faint: %1</source>
        <translation>blass: %1</translation>
    </message>
    <message>
        <source>%1: no data</source>
        <translation>%1: keine Daten</translation>
    </message>
    <message>
        <source>Loading…</source>
        <translation>Wird geladen…</translation>
    </message>
</context>
<context>
    <name>lk::TimeStrip</name>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>showing %1</source>
        <translation>zeigt %1</translation>
    </message>
    <message>
        <source>live</source>
        <translation>live</translation>
    </message>
    <message>
        <source>recorded since %1</source>
        <translation>aufgezeichnet seit %1</translation>
    </message>
    <message numerus="yes">
        <source>%Ln event(s) in view</source>
        <translation>
            <numerusform>%Ln Ereignis im Ausschnitt</numerusform>
            <numerusform>%Ln Ereignisse im Ausschnitt</numerusform>
        </translation>
    </message>
    <message>
        <source>now</source>
        <translation>jetzt</translation>
    </message>
</context>
<context>
    <name>lk::TimeTravel</name>
    <message>
        <source>Nothing was recorded before %1</source>
        <translation>Vor %1 wurde nichts aufgezeichnet</translation>
    </message>
    <message>
        <source>No later event was recorded</source>
        <translation>Es wurde kein späteres Ereignis aufgezeichnet</translation>
    </message>
    <message>
        <source>No earlier event was recorded</source>
        <translation>Es wurde kein früheres Ereignis aufgezeichnet</translation>
    </message>
</context>
<context>
    <name>lk::TimeView</name>
    <message>
        <source>now</source>
        <translation>jetzt</translation>
    </message>
    <message numerus="yes">
        <source>%Ln min</source>
        <translation>
            <numerusform>%Ln min</numerusform>
            <numerusform>%Ln min</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln h</source>
        <translation>
            <numerusform>%Ln h</numerusform>
            <numerusform>%Ln h</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lk::TimelineEntry</name>
    <message>
        <source>an owner that is not stored</source>
        <translation>einem nicht gespeicherten Besitzer</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>expired</source>
        <translation>abgelaufen</translation>
    </message>
    <message>
        <source>used</source>
        <translation>verbraucht</translation>
    </message>
    <message>
        <source>revoked</source>
        <translation>widerrufen</translation>
    </message>
    <message>
        <source>%1 more jobs %2</source>
        <translation>%1 Jobs mehr in %2</translation>
    </message>
    <message>
        <source>%1 fewer jobs %2</source>
        <translation>%1 Jobs weniger in %2</translation>
    </message>
    <message>
        <source>connection lost</source>
        <translation>Verbindung abgebrochen</translation>
    </message>
    <message>
        <source>failover: the master is %1</source>
        <translation>Failover: Der Master ist %1</translation>
    </message>
    <message>
        <source>failover: the master is %1, it was %2</source>
        <translation>Failover: Der Master ist %1, vorher war es %2</translation>
    </message>
    <message>
        <source>configuration changed: %1</source>
        <translation>Konfiguration geändert: %1</translation>
    </message>
    <message>
        <source>node %1 does not answer</source>
        <translation>Knoten %1 antwortet nicht</translation>
    </message>
    <message>
        <source>node %1 answers again</source>
        <translation>Knoten %1 antwortet wieder</translation>
    </message>
    <message>
        <source>alert: %1</source>
        <translation>Alarm: %1</translation>
    </message>
    <message>
        <source>alert resolved: %1</source>
        <translation>Alarm behoben: %1</translation>
    </message>
    <message>
        <source>alert acknowledged by %1: %2</source>
        <translation>Alarm von %1 quittiert: %2</translation>
    </message>
    <message>
        <source>%1 by %2</source>
        <translation>%1 durch %2</translation>
    </message>
    <message>
        <source>detected for the first time</source>
        <translation>zum ersten Mal erkannt</translation>
    </message>
    <message numerus="yes">
        <source>%Ln job(s) stuck</source>
        <translation>
            <numerusform>%Ln Job hängt</numerusform>
            <numerusform>%Ln Jobs hängen</numerusform>
        </translation>
    </message>
    <message>
        <source>at its limit</source>
        <translation>am Limit</translation>
    </message>
    <message>
        <source>below its limit again, after %1</source>
        <translation>wieder unter dem Limit, nach %1</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>pausiert</translation>
    </message>
    <message>
        <source>finding: %1</source>
        <translation>Befund: %1</translation>
    </message>
    <message>
        <source>resolved after %1: %2</source>
        <translation>behoben nach %1: %2</translation>
    </message>
    <message>
        <source>its end was not observed</source>
        <translation>Ende nicht beobachtet</translation>
    </message>
    <message>
        <source>released</source>
        <translation>freigegeben</translation>
    </message>
    <message>
        <source>held by %1 for %2</source>
        <translation>%2 lang von %1 gehalten</translation>
    </message>
    <message numerus="yes">
        <source>renewed %Ln time(s)</source>
        <translation>
            <numerusform>%Ln-mal verlängert</numerusform>
            <numerusform>%Ln-mal verlängert</numerusform>
        </translation>
    </message>
    <message>
        <source>without a TTL</source>
        <translation>ohne TTL</translation>
    </message>
    <message>
        <source>still held when last seen</source>
        <translation>zuletzt noch gehalten</translation>
    </message>
    <message>
        <source>removed: it was never issued</source>
        <translation>entfernt: wurde nie ausgestellt</translation>
    </message>
    <message>
        <source>reconnected</source>
        <translation>wieder verbunden</translation>
    </message>
    <message>
        <source>the server restarted</source>
        <translation>der Server wurde neu gestartet</translation>
    </message>
    <message>
        <source>the server is now a %1</source>
        <translation>der Server ist jetzt %1</translation>
    </message>
    <message>
        <source>detected again</source>
        <translation>wieder erkannt</translation>
    </message>
    <message>
        <source>gone: none of its keys exists any more</source>
        <translation>verschwunden: keiner der Keys existiert mehr</translation>
    </message>
    <message>
        <source>no more stuck jobs, after %1</source>
        <translation>keine hängenden Jobs mehr, nach %1</translation>
    </message>
    <message>
        <source>held by %1 for at least %2</source>
        <translation>mindestens %2 lang von %1 gehalten</translation>
    </message>
    <message>
        <source>gone before its TTL ended: used, or deleted by another client</source>
        <translation>vor dem Ende seiner TTL verschwunden: benutzt oder von einem anderen Client gelöscht</translation>
    </message>
    <message>
        <source>an event recorded by a newer version</source>
        <translation>ein Ereignis, das eine neuere Version aufgezeichnet hat</translation>
    </message>
    <message>
        <source>succeeded</source>
        <translation>erfolgreich</translation>
    </message>
    <message>
        <source>conflict</source>
        <translation>Konflikt</translation>
    </message>
    <message>
        <source>refused</source>
        <translation>abgelehnt</translation>
    </message>
    <message>
        <source>outcome unknown</source>
        <translation>Ergebnis unbekannt</translation>
    </message>
    <message>
        <source>released by operator %1</source>
        <translation>freigegeben von Bediener %1</translation>
    </message>
    <message>
        <source>ended by operator %1 (%2)</source>
        <translation>beendet von Bediener %1 (%2)</translation>
    </message>
    <message>
        <source>taken over by %1</source>
        <translation>übernommen von %1</translation>
    </message>
    <message>
        <source>taken over by %1 %2 later</source>
        <translation>%2 später übernommen von %1</translation>
    </message>
    <message>
        <source>not recorded for %1: polling was paused</source>
        <translation>%1 lang nicht aufgezeichnet: Abfragen waren angehalten</translation>
    </message>
    <message>
        <source>not recorded for %1: no connection to the server</source>
        <translation>%1 lang nicht aufgezeichnet: keine Verbindung zum Server</translation>
    </message>
    <message>
        <source>not recorded for %1: the file could not be written</source>
        <translation>%1 lang nicht aufgezeichnet: Datei nicht beschreibbar</translation>
    </message>
    <message>
        <source>not recorded for %1: the program that recorded was killed or crashed</source>
        <translation>%1 lang nicht aufgezeichnet: das aufzeichnende Programm wurde beendet oder stürzte ab</translation>
    </message>
    <message>
        <source>not recorded for %1: the recording begins later</source>
        <translation>%1 lang nicht aufgezeichnet: die Aufzeichnung beginnt später</translation>
    </message>
    <message>
        <source>not recorded for %1: recording was off</source>
        <translation>%1 lang nicht aufgezeichnet: die Aufzeichnung war aus</translation>
    </message>
    <message>
        <source>already paused when first read</source>
        <translation>beim ersten Lesen schon pausiert</translation>
    </message>
    <message>
        <source>gone while paused, after %1</source>
        <translation>nach %1 verschwunden, noch pausiert</translation>
    </message>
    <message>
        <source>resumed after at least %1</source>
        <translation>nach mindestens %1 fortgesetzt</translation>
    </message>
    <message>
        <source>resumed after %1</source>
        <translation>nach %1 fortgesetzt</translation>
    </message>
    <message>
        <source>another server answers at this address</source>
        <translation>unter dieser Adresse antwortet ein anderer Server</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%1 bei %2</translation>
    </message>
    <message>
        <source>alert silenced by %1 until %2</source>
        <translation>Alarm von %1 stummgeschaltet bis %2</translation>
    </message>
    <message>
        <source>alert silenced by %1 until ended manually</source>
        <translation>Alarm von %1 bis zur manuellen Aufhebung stummgeschaltet</translation>
    </message>
    <message numerus="yes">
        <source>%Ln shorter hold(s) not listed</source>
        <translation>
            <numerusform>%Ln kürzere Belegung nicht aufgeführt</numerusform>
            <numerusform>%Ln kürzere Belegungen nicht aufgeführt</numerusform>
        </translation>
    </message>
    <message>
        <source>taken over by another owner</source>
        <translation>übernommen von einem anderen Besitzer</translation>
    </message>
    <message>
        <source>alert no longer silenced: ended by %1</source>
        <translation>Alarm nicht mehr stummgeschaltet: beendet von %1</translation>
    </message>
</context>
<context>
    <name>lk::TokenBody</name>
    <message>
        <source>expires in</source>
        <translation>läuft ab in</translation>
    </message>
    <message>
        <source>uses</source>
        <translation>Verwendungen</translation>
    </message>
    <message>
        <source>payload</source>
        <translation>Payload</translation>
    </message>
    <message>
        <source>When live tokens expire</source>
        <translation>Wann aktive Tokens ablaufen</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>Tokens</translation>
    </message>
    <message>
        <source>All tokens</source>
        <translation>Alle Tokens</translation>
    </message>
    <message>
        <source>tokens that exist</source>
        <translation>vorhandene Tokens</translation>
    </message>
    <message>
        <source>live</source>
        <translation>aktiv</translation>
    </message>
    <message>
        <source>used</source>
        <translation>verbraucht</translation>
    </message>
    <message>
        <source>never issued</source>
        <translation>nie ausgestellt</translation>
    </message>
    <message>
        <source>Ended since the console started</source>
        <translation>Beendet seit Start der Konsole</translation>
    </message>
    <message>
        <source>tokens, by how they ended</source>
        <translation>Tokens nach Art des Endes</translation>
    </message>
    <message>
        <source>expired</source>
        <translation>abgelaufen</translation>
    </message>
    <message>
        <source>revoked here</source>
        <translation>hier widerrufen</translation>
    </message>
    <message>
        <source>deleted</source>
        <translation>gelöscht</translation>
    </message>
    <message>
        <source>never</source>
        <translation>nie</translation>
    </message>
    <message>
        <source>Payload</source>
        <translation>Payload</translation>
    </message>
    <message>
        <source>Never shown, stored or logged.</source>
        <translation>Nie angezeigt, gespeichert oder geloggt.</translation>
    </message>
</context>
<context>
    <name>lk::Transport</name>
    <message>
        <source>%1 (no such file)</source>
        <translation>%1 (keine solche Datei)</translation>
    </message>
    <message>
        <source>no PEM certificate in %1</source>
        <translation>kein PEM-Zertifikat in %1</translation>
    </message>
    <message>
        <source>no PEM private key without a passphrase in %1</source>
        <translation>kein privater PEM-Schlüssel ohne Passphrase in %1</translation>
    </message>
    <message>
        <source>connecting to %1</source>
        <translation>Verbindungsaufbau zu %1</translation>
    </message>
    <message>
        <source>no permission to use %1</source>
        <translation>keine Berechtigung, %1 zu benutzen</translation>
    </message>
</context>
<context>
    <name>lk::TypedNameDialog</name>
    <message>
        <source>Write mode – Lockkeeper</source>
        <translation>Schreibmodus – Lockkeeper</translation>
    </message>
    <message>
        <source>Turn on write mode on production?</source>
        <translation>Schreibmodus in Produktion einschalten?</translation>
    </message>
    <message>
        <source>This window will be able to change the server. Type its name to continue: %1</source>
        <translation>Dieses Fenster kann dann den Server ändern. Geben Sie zum Fortfahren seinen Namen ein: %1</translation>
    </message>
    <message>
        <source>Name of the server</source>
        <translation>Name des Servers</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>&amp;Turn on</source>
        <translation>&amp;Einschalten</translation>
    </message>
</context>
<context>
    <name>lk::UndoKey</name>
    <message>
        <source>%1 has no key: 32 bytes in base64</source>
        <translation>%1 enthält keinen Schlüssel: 32 Bytes in Base64</translation>
    </message>
</context>
<context>
    <name>lk::UndoRecord</name>
    <message>
        <source>its size is unknown: no permission for MEMORY USAGE</source>
        <translation>die Größe ist unbekannt: keine Berechtigung für MEMORY USAGE</translation>
    </message>
    <message>
        <source>it was too large to keep</source>
        <translation>war zu groß zum Aufheben</translation>
    </message>
    <message>
        <source>for a day, unless the key changes</source>
        <translation>einen Tag lang, sofern sich der Key nicht ändert</translation>
    </message>
</context>
<context>
    <name>lk::UndoStore</name>
    <message>
        <source>%1 cannot be undone: it is not undoable, was undone already, or is more than a day old</source>
        <translation>%1 kann nicht rückgängig gemacht werden: nicht umkehrbar, schon rückgängig gemacht oder älter als ein Tag</translation>
    </message>
    <message>
        <source>what undo needs is encrypted with a key, and neither a desktop&apos;s keyring nor the kernel keeps one here; --undo-key FILE does</source>
        <translation>was zum Rückgängigmachen nötig ist, wird mit einem Schlüssel verschlüsselt, und weder der Schlüsselbund eines Desktops noch der Kernel verwahrt hier einen; --undo-key DATEI tut es</translation>
    </message>
    <message>
        <source>%1 cannot be undone here: without a key, undo data of other programs cannot be decrypted. Write mode asks the keyring for it; --undo-key FILE gives it</source>
        <translation>%1 lässt sich hier nicht rückgängig machen: Ohne Schlüssel lassen sich die Daten anderer Programme nicht entschlüsseln. Der Schreibmodus fragt den Schlüsselbund danach; --undo-key DATEI gibt ihn an</translation>
    </message>
</context>
<context>
    <name>lk::VoteModel</name>
    <message>
        <source>no TTL</source>
        <translation>ohne TTL</translation>
    </message>
    <message>
        <source>unreachable: %1</source>
        <translation>nicht erreichbar: %1</translation>
    </message>
    <message>
        <source>free</source>
        <translation>frei</translation>
    </message>
    <message>
        <source>How far the server&apos;s clock is from this machine&apos;s</source>
        <translation>Wie weit die Uhr des Servers von der dieses Rechners abweicht</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>Server</translation>
    </message>
    <message>
        <source>Owner</source>
        <translation>Besitzer</translation>
    </message>
    <message>
        <source>TTL</source>
        <translation>TTL</translation>
    </message>
    <message>
        <source>Clock</source>
        <translation>Uhr</translation>
    </message>
    <message>
        <source>Clock: %1</source>
        <translation>Uhr: %1</translation>
    </message>
</context>
<context>
    <name>lk::WaitingList</name>
    <message>
        <source>%1, blocked for %2</source>
        <translation>%1, blockiert seit %2</translation>
    </message>
    <message>
        <source>Not read yet</source>
        <translation>Noch nicht gelesen</translation>
    </message>
    <message>
        <source>Unknown: %1</source>
        <translation>Unbekannt: %1</translation>
    </message>
    <message>
        <source>Not read: listing %1 connections would cost the server too much</source>
        <translation>Nicht gelesen: %1 Verbindungen aufzulisten würde den Server zu viel kosten</translation>
    </message>
    <message>
        <source>No client is blocked on a list of this database</source>
        <translation>Kein Client ist an einer Liste dieser Datenbank blockiert</translation>
    </message>
    <message numerus="yes">
        <source>%Ln blocked on a list of this database; probably not this one, which has jobs waiting</source>
        <translation>
            <numerusform>%Ln blockiert an einer Liste dieser Datenbank; wohl nicht an dieser, hier warten Jobs</numerusform>
            <numerusform>%Ln blockiert an einer Liste dieser Datenbank; wohl nicht an dieser, hier warten Jobs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln blocked on a list of this database; inferred to be this one: no other detected queue is empty</source>
        <translation>
            <numerusform>%Ln blockiert an einer Liste dieser Datenbank; abgeleitet, dass es diese ist: Keine andere erkannte Warteschlange ist leer</numerusform>
            <numerusform>%Ln blockiert an einer Liste dieser Datenbank; abgeleitet, dass es diese ist: Keine andere erkannte Warteschlange ist leer</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln blocked on a list of this database; the server does not say which</source>
        <translation>
            <numerusform>%Ln blockiert an einer Liste dieser Datenbank; der Server sagt nicht, an welcher</numerusform>
            <numerusform>%Ln blockiert an einer Liste dieser Datenbank; der Server sagt nicht, an welcher</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %Ln more</source>
        <translation>
            <numerusform>und %Ln weiterer</numerusform>
            <numerusform>und %Ln weitere</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lk::Webhook</name>
    <message>
        <source>HTTP %1</source>
        <translation>HTTP %1</translation>
    </message>
    <message>
        <source>connection refused</source>
        <translation>Verbindung abgelehnt</translation>
    </message>
    <message>
        <source>host not found</source>
        <translation>Host nicht gefunden</translation>
    </message>
    <message>
        <source>the server closed the connection</source>
        <translation>der Server hat die Verbindung geschlossen</translation>
    </message>
    <message>
        <source>TLS failed: %1</source>
        <translation>TLS fehlgeschlagen: %1</translation>
    </message>
    <message>
        <source>network error %1</source>
        <translation>Netzwerkfehler %1</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>HTTP %1: redirects are not followed; enter the address that it leads to</source>
        <translation>HTTP %1: Weiterleitungen werden nicht verfolgt; geben Sie die Adresse ein, auf die sie führt</translation>
    </message>
    <message>
        <source>the environment variable %1 is not set, so the body cannot be signed</source>
        <translation>die Umgebungsvariable %1 ist nicht gesetzt, der Body kann also nicht signiert werden</translation>
    </message>
    <message>
        <source>timed out</source>
        <translation>Zeitüberschreitung</translation>
    </message>
    <message>
        <source>no response</source>
        <translation>keine Antwort</translation>
    </message>
</context>
<context>
    <name>lk::WindowMenus</name>
    <message>
        <source>Server</source>
        <translation>Server</translation>
    </message>
    <message>
        <source>&amp;Server</source>
        <translation>&amp;Server</translation>
    </message>
    <message>
        <source>&amp;Connect…</source>
        <translation>&amp;Verbinden…</translation>
    </message>
    <message>
        <source>Open the &amp;demo</source>
        <translation>&amp;Demo öffnen</translation>
    </message>
    <message>
        <source>&amp;Rescan</source>
        <translation>&amp;Neu scannen</translation>
    </message>
    <message>
        <source>&amp;Stop the scan</source>
        <translation>Scan an&amp;halten</translation>
    </message>
    <message>
        <source>&amp;Pause or resume</source>
        <translation>&amp;Pausieren oder fortsetzen</translation>
    </message>
    <message>
        <source>Turn on &amp;write mode…</source>
        <translation>&amp;Schreibmodus einschalten…</translation>
    </message>
    <message>
        <source>Turn off write mo&amp;de</source>
        <translation>Sch&amp;reibmodus ausschalten</translation>
    </message>
    <message>
        <source>&amp;Undo the last action…</source>
        <translation>Letzte Aktion rückgängig &amp;machen…</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>&amp;Beenden</translation>
    </message>
    <message>
        <source>&amp;Boards</source>
        <translation>&amp;Boards</translation>
    </message>
    <message>
        <source>Boards</source>
        <translation>Boards</translation>
    </message>
    <message>
        <source>Table and charts</source>
        <translation>Tabelle und Diagramme</translation>
    </message>
    <message>
        <source>&amp;Filter</source>
        <translation>&amp;Filtern</translation>
    </message>
    <message>
        <source>P&amp;in or unpin</source>
        <translation>An&amp;heften oder lösen</translation>
    </message>
    <message>
        <source>R&amp;eveal or hide the code</source>
        <translation>Code &amp;zeigen oder verbergen</translation>
    </message>
    <message>
        <source>&amp;Actions for the selection…</source>
        <translation>&amp;Aktionen für die Auswahl…</translation>
    </message>
    <message>
        <source>&amp;Copy selected rows</source>
        <translation>Ausgewählte Zeilen &amp;kopieren</translation>
    </message>
    <message>
        <source>&amp;Save the table as CSV…</source>
        <translation>Tabelle als &amp;CSV speichern…</translation>
    </message>
    <message>
        <source>Discard selected jobs…</source>
        <translation>Ausgewählte Jobs verwerfen…</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ansicht</translation>
    </message>
    <message>
        <source>&amp;System theme</source>
        <translation>&amp;Systemdesign</translation>
    </message>
    <message>
        <source>&amp;Light theme</source>
        <translation>&amp;Helles Design</translation>
    </message>
    <message>
        <source>&amp;Dark theme</source>
        <translation>&amp;Dunkles Design</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Hilfe</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>Hilfe</translation>
    </message>
    <message>
        <source>&amp;Keys and help</source>
        <translation>&amp;Tasten und Hilfe</translation>
    </message>
    <message>
        <source>&amp;Search everything…</source>
        <translation>Alles &amp;durchsuchen…</translation>
    </message>
    <message>
        <source>Open the selected queue or job</source>
        <translation>Die ausgewählte Warteschlange oder den ausgewählten Job öffnen</translation>
    </message>
    <message>
        <source>Scan pa&amp;ce</source>
        <translation>Scan-&amp;Tempo</translation>
    </message>
    <message>
        <source>&amp;Polite: a tenth of each server, up to 1,000 commands per second</source>
        <translation>&amp;Zurückhaltend: ein Zehntel jedes Servers, bis zu 1.000 Befehle pro Sekunde</translation>
    </message>
    <message>
        <source>&amp;Normal: a third of each server, up to 5,000 commands per second, 1,500 if it is busy</source>
        <translation>&amp;Normal: ein Drittel jedes Servers, bis zu 5.000 Befehle pro Sekunde, 1.500 bei viel Last</translation>
    </message>
    <message>
        <source>&amp;Fast: for an otherwise idle server</source>
        <translation>&amp;Schnell: für einen sonst unbeschäftigten Server</translation>
    </message>
    <message>
        <source>&amp;What happened…</source>
        <translation>&amp;Was geschehen ist…</translation>
    </message>
    <message>
        <source>Time travel</source>
        <translation>Zeitreise</translation>
    </message>
    <message>
        <source>&amp;Time</source>
        <translation>&amp;Zeit</translation>
    </message>
    <message>
        <source>Show another &amp;time…</source>
        <translation>Andere &amp;Zeit zeigen…</translation>
    </message>
    <message>
        <source>&amp;Previous event</source>
        <translation>&amp;Vorheriges Ereignis</translation>
    </message>
    <message>
        <source>&amp;Next event</source>
        <translation>&amp;Nächstes Ereignis</translation>
    </message>
    <message>
        <source>Back to &amp;live</source>
        <translation>Zurück zu &amp;live</translation>
    </message>
    <message>
        <source>&amp;Recording settings…</source>
        <translation>Aufzeichnung &amp;einstellen…</translation>
    </message>
    <message>
        <source>Memory &amp;limit…</source>
        <translation>Speicher&amp;limit…</translation>
    </message>
    <message>
        <source>Memory limit</source>
        <translation>Speicherlimit</translation>
    </message>
    <message>
        <source>Stop the scan once this program uses this many megabytes (0: no limit):</source>
        <translation>Scan beenden, sobald dieses Programm so viele Megabyte belegt (0: kein Limit):</translation>
    </message>
</context>
<context>
    <name>lk::WindowStrip</name>
    <message>
        <source>Window</source>
        <translation>Fenster</translation>
    </message>
    <message>
        <source>Window of the limiter</source>
        <translation>Fenster des Limiters</translation>
    </message>
    <message>
        <source>closed</source>
        <translation>geschlossen</translation>
    </message>
    <message>
        <source>open</source>
        <translation>offen</translation>
    </message>
    <message>
        <source>at most %1</source>
        <translation>höchstens %1</translation>
    </message>
    <message>
        <source>%1 used, limit unknown</source>
        <translation>%1 belegt, Limit unbekannt</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Paused at %1</source>
        <translation>Pausiert um %1</translation>
    </message>
    <message>
        <source>window unknown: scaled to fit the stored marks</source>
        <translation>Fenster unbekannt: auf die gespeicherten Marken skaliert</translation>
    </message>
    <message>
        <source>full</source>
        <translation>voll</translation>
    </message>
    <message>
        <source>Nothing to show yet</source>
        <translation>Noch nichts anzuzeigen</translation>
    </message>
    <message>
        <source>resets in %1</source>
        <translation>Reset in %1</translation>
    </message>
    <message>
        <source>window %1</source>
        <translation>Fenster %1</translation>
    </message>
    <message>
        <source>window unknown</source>
        <translation>Fenster unbekannt</translation>
    </message>
    <message numerus="yes">
        <source>%Ln mark(s)</source>
        <translation>
            <numerusform>%Ln Marke</numerusform>
            <numerusform>%Ln Marken</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln reservation(s)</source>
        <translation>
            <numerusform>%Ln Reservierung</numerusform>
            <numerusform>%Ln Reservierungen</numerusform>
        </translation>
    </message>
    <message>
        <source>next free in %1</source>
        <translation>wieder frei in %1</translation>
    </message>
    <message>
        <source>retry after %1</source>
        <translation>Retry-After %1</translation>
    </message>
    <message>
        <source>reserved: retry in %1</source>
        <translation>reserviert: Retry in %1</translation>
    </message>
    <message>
        <source>accepted %1 ago</source>
        <translation>vor %1 angenommen</translation>
    </message>
    <message>
        <source>leaves the window in %1</source>
        <translation>verlässt das Fenster in %1</translation>
    </message>
    <message>
        <source>The window appears with the next read</source>
        <translation>Das Fenster erscheint beim nächsten Lesen</translation>
    </message>
    <message>
        <source>now</source>
        <translation>jetzt</translation>
    </message>
    <message>
        <source>free in %1</source>
        <translation>frei in %1</translation>
    </message>
    <message>
        <source>retry %1</source>
        <translation>Retry %1</translation>
    </message>
    <message>
        <source>opens in %1</source>
        <translation>öffnet in %1</translation>
    </message>
</context>
<context>
    <name>lk::WorkerList</name>
    <message>
        <source>unknown</source>
        <comment>whether a worker is alive</comment>
        <translation>unbekannt</translation>
    </message>
    <message>
        <source>alive</source>
        <comment>a worker</comment>
        <translation>lebt</translation>
    </message>
    <message>
        <source>gone</source>
        <comment>a worker</comment>
        <translation>weg</translation>
    </message>
    <message>
        <source>%1 ago</source>
        <translation>vor %1</translation>
    </message>
    <message>
        <source>Worker</source>
        <translation>Worker</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Heartbeat</source>
        <translation>Heartbeat</translation>
    </message>
    <message>
        <source>Jobs</source>
        <translation>Jobs</translation>
    </message>
    <message>
        <source>Host</source>
        <translation>Host</translation>
    </message>
    <message>
        <source>PID</source>
        <translation>PID</translation>
    </message>
    <message>
        <source>Workers</source>
        <translation>Worker</translation>
    </message>
    <message>
        <source>No worker is listening.</source>
        <translation>Kein Worker hört zu.</translation>
    </message>
    <message>
        <source>%1 of %2 workers are gone.</source>
        <translation>%1 von %2 Workern sind weg.</translation>
    </message>
    <message>
        <source>Only workers with jobs are listed; the library does not list idle ones.</source>
        <translation>Die, die gerade Jobs haben; untätige Worker listet die Bibliothek nicht auf.</translation>
    </message>
    <message numerus="yes">
        <source>No worker is listening, and %Ln job(s) are waiting.</source>
        <translation>
            <numerusform>Kein Worker hört zu, und %Ln Job wartet.</numerusform>
            <numerusform>Kein Worker hört zu, und %Ln Jobs warten.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lk::WriteModeButton</name>
    <message>
        <source>This session has no journal, so it is read-only</source>
        <translation>Diese Sitzung hat kein Journal und liest deshalb nur</translation>
    </message>
    <message>
        <source>The server is not connected</source>
        <translation>Der Server ist nicht verbunden</translation>
    </message>
    <message>
        <source>This is a replica: run actions on its master</source>
        <translation>Das ist ein Replikat: Führen Sie Aktionen auf seinem Master aus</translation>
    </message>
    <message>
        <source>Turn &amp;off write mode</source>
        <translation>Schreibmodus &amp;ausschalten</translation>
    </message>
    <message>
        <source>Write mode, %1</source>
        <translation>Schreibmodus, %1</translation>
    </message>
    <message>
        <source>Read-only</source>
        <translation>Nur Lesen</translation>
    </message>
    <message>
        <source>This session can change the server. Ctrl+Shift+R turns write mode off.</source>
        <translation>Diese Sitzung kann den Server ändern. Ctrl+Shift+R schaltet den Schreibmodus aus.</translation>
    </message>
    <message>
        <source>This session only reads. Turn on write mode to change the server (Ctrl+E)</source>
        <translation>Diese Sitzung liest nur. Schalten Sie den Schreibmodus ein, um den Server zu ändern (Ctrl+E)</translation>
    </message>
    <message>
        <source>Write mode for &amp;5 minutes</source>
        <translation>Schreibmodus für &amp;5 Minuten</translation>
    </message>
    <message>
        <source>Write mode for &amp;15 minutes</source>
        <translation>Schreibmodus für &amp;15 Minuten</translation>
    </message>
    <message>
        <source>Write mode for 1 &amp;hour</source>
        <translation>Schreibmodus für 1 &amp;Stunde</translation>
    </message>
    <message>
        <source>&amp;Connect to its master %1</source>
        <translation>Mit dem Master %1 &amp;verbinden</translation>
    </message>
    <message>
        <source>Actions are off</source>
        <translation>Aktionen sind aus</translation>
    </message>
    <message>
        <source>This is the past: nothing can be changed. Go back to live first (Ctrl+Shift+T).</source>
        <translation>Dies ist die Vergangenheit: Nichts kann geändert werden. Gehen Sie zuerst zurück zu Live (Ctrl+Shift+T).</translation>
    </message>
    <message>
        <source>&amp;Open the cluster</source>
        <translation>Cluster öf&amp;fnen</translation>
    </message>
</context>
<context>
    <name>lk::WriteModeFrame</name>
    <message>
        <source>Write mode: this window can change the server</source>
        <translation>Schreibmodus: Dieses Fenster kann den Server ändern</translation>
    </message>
    <message>
        <source>Past: this window shows another time</source>
        <translation>Vergangenheit: Dieses Fenster zeigt eine andere Zeit</translation>
    </message>
</context>
<context>
    <name>main</name>
    <message>
        <source>There is no display, so the boards are saved in %1</source>
        <translation>Es gibt keine Anzeige, darum werden die Boards in %1 gespeichert</translation>
    </message>
</context>
</TS>
