<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>lk::ActCommand</name>
    <message numerus="yes">
        <source>%n line(s) of the journal are not whole and were left out</source>
        <translation>
            <numerusform>%n line of the journal is not whole and was left out</numerusform>
            <numerusform>%n lines of the journal are not whole and were left out</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lk::Action</name>
    <message numerus="yes">
        <source>The age of %Ln item(s) is not known: they are seen for the first time now. Ask again later, or name them with --item</source>
        <translation>
            <numerusform>The age of %Ln item is not known: it is seen for the first time now. Ask again later, or name it with --item</numerusform>
            <numerusform>The age of %Ln items is not known: they are seen for the first time now. Ask again later, or name them with --item</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %Ln more</source>
        <translation>
            <numerusform>and %Ln more</numerusform>
            <numerusform>and %Ln more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>; %Ln of unknown age left out</source>
        <translation>
            <numerusform>; %Ln of unknown age left out</numerusform>
            <numerusform>; %Ln of unknown age left out</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln byte(s)</source>
        <translation>
            <numerusform>%Ln byte</numerusform>
            <numerusform>%Ln bytes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln byte(s) of payload</source>
        <translation>
            <numerusform>%Ln byte of payload</numerusform>
            <numerusform>%Ln bytes of payload</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>a value that is not shown (%Ln byte(s))</source>
        <translation>
            <numerusform>a value that is not shown (%Ln byte)</numerusform>
            <numerusform>a value that is not shown (%Ln bytes)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Discard %Ln job(s) of %1?</source>
        <translation>
            <numerusform>Discard %Ln job of %1?</numerusform>
            <numerusform>Discard %Ln jobs of %1?</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Requeue %Ln job(s) of %1?</source>
        <translation>
            <numerusform>Requeue %Ln job of %1?</numerusform>
            <numerusform>Requeue %Ln jobs of %1?</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Move %Ln job(s) of %1 to dead letters?</source>
        <translation>
            <numerusform>Move %Ln job of %1 to dead letters?</numerusform>
            <numerusform>Move %Ln jobs of %1 to dead letters?</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Promote %Ln job(s) of %1?</source>
        <translation>
            <numerusform>Promote %Ln job of %1?</numerusform>
            <numerusform>Promote %Ln jobs of %1?</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Retry %Ln job(s) of %1?</source>
        <translation>
            <numerusform>Retry %Ln job of %1?</numerusform>
            <numerusform>Retry %Ln jobs of %1?</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lk::ActionDialog</name>
    <message numerus="yes">
        <source>%1 for %Ln selected</source>
        <translation>
            <numerusform>%1 for %Ln selected</numerusform>
            <numerusform>%1 for %Ln selected</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Undo %Ln step(s)</source>
        <translation>
            <numerusform>Undo %Ln step</numerusform>
            <numerusform>Undo %Ln steps</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lk::ActionWish</name>
    <message numerus="yes">
        <source>%1 for %Ln selected…</source>
        <translation>
            <numerusform>%1 for %Ln selected…</numerusform>
            <numerusform>%1 for %Ln selected…</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lk::BoardTexts</name>
    <message numerus="yes">
        <source>%Ln key(s) looked at so far.</source>
        <translation>
            <numerusform>%Ln key looked at so far.</numerusform>
            <numerusform>%Ln keys looked at so far.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lk::CheckReport</name>
    <message numerus="yes">
        <source>… and %n more</source>
        <translation>
            <numerusform>… and %n more</numerusform>
            <numerusform>… and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lk::FindingNotes</name>
    <message numerus="yes">
        <source>… and %Ln more</source>
        <translation>
            <numerusform>… and %Ln more</numerusform>
            <numerusform>… and %Ln more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lk::HorizonChart</name>
    <message numerus="yes">
        <source>%Ln in %1 to %2</source>
        <translation>
            <numerusform>%Ln in %1 to %2</numerusform>
            <numerusform>%Ln in %1 to %2</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln later</source>
        <translation>
            <numerusform>%Ln later</numerusform>
            <numerusform>%Ln later</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln never</source>
        <translation>
            <numerusform>%Ln never</numerusform>
            <numerusform>%Ln never</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lk::JobPanel</name>
    <message numerus="yes">
        <source>%Ln selected</source>
        <translation>
            <numerusform>%Ln selected</numerusform>
            <numerusform>%Ln selected</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lk::JournalDetail</name>
    <message numerus="yes">
        <source>and %Ln more</source>
        <translation>
            <numerusform>and %Ln more</numerusform>
            <numerusform>and %Ln more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln step(s)</source>
        <translation>
            <numerusform>%Ln step</numerusform>
            <numerusform>%Ln steps</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>&amp;Undo all %Ln…</source>
        <translation>
            <numerusform>&amp;Undo all %Ln…</numerusform>
            <numerusform>&amp;Undo all %Ln…</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lk::JournalModel</name>
    <message numerus="yes">
        <source>%Ln step(s)</source>
        <translation>
            <numerusform>%Ln step</numerusform>
            <numerusform>%Ln steps</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lk::LockTimeline</name>
    <message numerus="yes">
        <source>%Ln renewal(s) seen</source>
        <translation>
            <numerusform>%Ln renewal seen</numerusform>
            <numerusform>%Ln renewals seen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln lock(s)</source>
        <translation>
            <numerusform>%Ln lock</numerusform>
            <numerusform>%Ln locks</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lk::ParameterForm</name>
    <message numerus="yes">
        <source>Only the %Ln &amp;selected job(s)</source>
        <translation>
            <numerusform>Only the %Ln &amp;selected job</numerusform>
            <numerusform>Only the %Ln &amp;selected jobs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lk::PlanView</name>
    <message numerus="yes">
        <source>and %Ln more</source>
        <translation>
            <numerusform>and %Ln more</numerusform>
            <numerusform>and %Ln more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lk::PrimitiveFacts</name>
    <message numerus="yes">
        <source>and %Ln more</source>
        <translation>
            <numerusform>and %Ln more</numerusform>
            <numerusform>and %Ln more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lk::PrimitiveModel</name>
    <message numerus="yes">
        <source>… and %Ln more keys</source>
        <translation>
            <numerusform>… and %Ln more key</numerusform>
            <numerusform>… and %Ln more keys</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lk::QueueWatcher</name>
    <message numerus="yes">
        <source>ended, %1; %n put back, one step is still under way</source>
        <translation>
            <numerusform>ended, %1; %n put back, one step is still under way</numerusform>
            <numerusform>ended, %1; %n put back, one step is still under way</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>ended, %1; %n put back</source>
        <translation>
            <numerusform>ended, %1; %n put back</numerusform>
            <numerusform>ended, %1; %n put back</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lk::ReceiptView</name>
    <message numerus="yes">
        <source>%Ln answer(s); nothing was changed</source>
        <translation>
            <numerusform>%Ln answer; nothing was changed</numerusform>
            <numerusform>%Ln answers; nothing was changed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Undo &amp;all %Ln…</source>
        <translation>
            <numerusform>Undo &amp;all %Ln…</numerusform>
            <numerusform>Undo &amp;all %Ln…</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lk::ServerPage</name>
    <message numerus="yes">
        <source>%Ln key(s) in %1</source>
        <translation>
            <numerusform>%Ln key in %1</numerusform>
            <numerusform>%Ln keys in %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>under way: %Ln key(s) so far</source>
        <translation>
            <numerusform>under way: %Ln key so far</numerusform>
            <numerusform>under way: %Ln keys so far</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lk::SlotSpreadView</name>
    <message numerus="yes">
        <source>All %Ln keys</source>
        <translation>
            <numerusform>All %Ln keys</numerusform>
            <numerusform>All %Ln keys</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lk::SnapshotText</name>
    <message numerus="yes">
        <source>… and %n more</source>
        <translation>
            <numerusform>… and %n more</numerusform>
            <numerusform>… and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lk::TimeChart</name>
    <message numerus="yes">
        <source>%Ln gap(s) without data</source>
        <translation>
            <numerusform>%Ln gap without data</numerusform>
            <numerusform>%Ln gaps without data</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln flag(s)</source>
        <translation>
            <numerusform>%Ln flag</numerusform>
            <numerusform>%Ln flags</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lk::TimeView</name>
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
    <name>lk::WaitingList</name>
    <message numerus="yes">
        <source>%Ln blocked on some list of this database; hardly on this one, which has items ready</source>
        <translation>
            <numerusform>%Ln blocked on some list of this database; hardly on this one, which has items ready</numerusform>
            <numerusform>%Ln blocked on some list of this database; hardly on this one, which has items ready</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln blocked on some list of this database; on this one, it is inferred: no other known queue is empty</source>
        <translation>
            <numerusform>%Ln blocked on some list of this database; on this one, it is inferred: no other known queue is empty</numerusform>
            <numerusform>%Ln blocked on some list of this database; on this one, it is inferred: no other known queue is empty</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln blocked on some list of this database; the server does not say which</source>
        <translation>
            <numerusform>%Ln blocked on some list of this database; the server does not say which</numerusform>
            <numerusform>%Ln blocked on some list of this database; the server does not say which</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %Ln more</source>
        <translation>
            <numerusform>and %Ln more</numerusform>
            <numerusform>and %Ln more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lk::WatchLine</name>
    <message numerus="yes">
        <source>Watcher: this console, since %1; %Ln put back</source>
        <translation>
            <numerusform>Watcher: this console, since %1; %Ln put back</numerusform>
            <numerusform>Watcher: this console, since %1; %Ln put back</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Watcher: ended, %1; %Ln put back</source>
        <translation>
            <numerusform>Watcher: ended, %1; %Ln put back</numerusform>
            <numerusform>Watcher: ended, %1; %Ln put back</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lk::WatchRun</name>
    <message numerus="yes">
        <source>Ended: %1. %n item(s) put back</source>
        <translation>
            <numerusform>Ended: %1. %n item put back</numerusform>
            <numerusform>Ended: %1. %n items put back</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1: %n put back</source>
        <translation>
            <numerusform>%1: %n put back</numerusform>
            <numerusform>%1: %n put back</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lk::WindowStrip</name>
    <message numerus="yes">
        <source>%Ln mark(s)</source>
        <translation>
            <numerusform>%Ln mark</numerusform>
            <numerusform>%Ln marks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln reservation(s)</source>
        <translation>
            <numerusform>%Ln reservation</numerusform>
            <numerusform>%Ln reservations</numerusform>
        </translation>
    </message>
</context>
</TS>
