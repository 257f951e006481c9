<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>lk::ActCommand</name>
    <message numerus="yes">
        <source>%n incomplete line(s) of the journal were skipped</source>
        <translation>
            <numerusform>%n incomplete line of the journal were skipped</numerusform>
            <numerusform>%n incomplete lines of the journal were skipped</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lk::ActSession</name>
    <message numerus="yes">
        <source>%Ln more step(s) like this one, %1 jobs in total</source>
        <translation>
            <numerusform>%Ln more step like this one, %1 jobs in all</numerusform>
            <numerusform>%Ln more steps like this one, %1 jobs in all</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lk::Action</name>
    <message numerus="yes">
        <source>and %Ln more</source>
        <translation>
            <numerusform>and %Ln more</numerusform>
            <numerusform>and %Ln more</numerusform>
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
    <message numerus="yes">
        <source>The age of %Ln job(s) is unknown because this is the first read. Try again later, or use --index</source>
        <translation>
            <numerusform>The age of %Ln job is unknown because this is the first read. Try again later, or use --index</numerusform>
            <numerusform>The age of %Ln jobs is unknown because this is the first read. Try again later, or use --index</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>; %Ln of unknown age skipped</source>
        <translation>
            <numerusform>; %Ln of unknown age skipped</numerusform>
            <numerusform>; %Ln of unknown age skipped</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln job(s) per second; stopping it leaves the rest as it is.</source>
        <translation>
            <numerusform>%Ln job per second; stopping it leaves the rest as it is.</numerusform>
            <numerusform>%Ln jobs per second; stopping it leaves the rest as it is.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>At least %Ln more job(s) of that age will remain.</source>
        <translation>
            <numerusform>At least %Ln more job of that age will remain.</numerusform>
            <numerusform>At least %Ln more jobs of that age will remain.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln more job(s) of that age will remain.</source>
        <translation>
            <numerusform>%Ln more job of that age will remain.</numerusform>
            <numerusform>%Ln more jobs of that age will remain.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Discard %Ln old job(s) of %1?</source>
        <translation>
            <numerusform>Discard %Ln old job of %1?</numerusform>
            <numerusform>Discard %Ln old jobs of %1?</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln job(s) are left out. %1.</source>
        <translation>
            <numerusform>%Ln job is left out. %1.</numerusform>
            <numerusform>%Ln jobs are left out. %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>a value that is not shown (%Ln byte(s), %1)</source>
        <translation>
            <numerusform>a value that is not shown (%Ln byte, %1)</numerusform>
            <numerusform>a value that is not shown (%Ln bytes, %1)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln job(s) in the list of an earlier version are put before those that wait.</source>
        <translation>
            <numerusform>%Ln job in the list of an earlier version is put before those that wait.</numerusform>
            <numerusform>%Ln jobs in the list of an earlier version are put before those that wait.</numerusform>
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
        <source>Undo %Ln action(s)</source>
        <translation>
            <numerusform>Undo %Ln action</numerusform>
            <numerusform>Undo %Ln actions</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lk::ActionDraft</name>
    <message numerus="yes">
        <source>%1 for %Ln selected…</source>
        <translation>
            <numerusform>%1 for %Ln selected…</numerusform>
            <numerusform>%1 for %Ln selected…</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lk::AlertTray</name>
    <message numerus="yes">
        <source>Lockkeeper: %n open alert(s) in %1</source>
        <translation>
            <numerusform>Lockkeeper: %n open alert in %1</numerusform>
            <numerusform>Lockkeeper: %n open alerts in %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lk::AutoRequeue</name>
    <message numerus="yes">
        <source>stopped, %1; %n requeued, one run still in progress</source>
        <translation>
            <numerusform>stopped, %1; %n requeued, one run still in progress</numerusform>
            <numerusform>stopped, %1; %n requeued, one run still in progress</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>stopped, %1; %n requeued</source>
        <translation>
            <numerusform>stopped, %1; %n requeued</numerusform>
            <numerusform>stopped, %1; %n requeued</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lk::AutoRequeueNotice</name>
    <message numerus="yes">
        <source>Auto-requeue: on since %1; %Ln requeued</source>
        <translation>
            <numerusform>Auto-requeue: on since %1; %Ln requeued</numerusform>
            <numerusform>Auto-requeue: on since %1; %Ln requeued</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Auto-requeue: stopped, %1; %Ln requeued</source>
        <translation>
            <numerusform>Auto-requeue: stopped, %1; %Ln requeued</numerusform>
            <numerusform>Auto-requeue: stopped, %1; %Ln requeued</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lk::AutoRequeueRun</name>
    <message numerus="yes">
        <source>%1: %n requeued</source>
        <translation>
            <numerusform>%1: %n requeued</numerusform>
            <numerusform>%1: %n requeued</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Stopped: %1. %n job(s) requeued</source>
        <translation>
            <numerusform>Stopped: %1. %n job requeued</numerusform>
            <numerusform>Stopped: %1. %n jobs requeued</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lk::BoardTexts</name>
    <message numerus="yes">
        <source>An estimate: %Ln changes are not read yet.</source>
        <translation>
            <numerusform>An estimate: %Ln change is not read yet.</numerusform>
            <numerusform>An estimate: %Ln changes are not read yet.</numerusform>
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
    <name>lk::Column</name>
    <message numerus="yes">
        <source>%Ln readers</source>
        <translation>
            <numerusform>%Ln reader</numerusform>
            <numerusform>%Ln readers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln holders</source>
        <translation>
            <numerusform>%Ln holder</numerusform>
            <numerusform>%Ln holders</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>p50 %1, p95 %2, p99 %3, of %Ln jobs</source>
        <translation>
            <numerusform>p50 %1, p95 %2, p99 %3, of %Ln job</numerusform>
            <numerusform>p50 %1, p95 %2, p99 %3, of %Ln jobs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>of the last %Ln jobs</source>
        <translation>
            <numerusform>of the last %Ln job</numerusform>
            <numerusform>of the last %Ln jobs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lk::DeploymentStatus</name>
    <message numerus="yes">
        <source>%n error(s)</source>
        <translation>
            <numerusform>%n error</numerusform>
            <numerusform>%n errors</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n warning(s)</source>
        <translation>
            <numerusform>%n warning</numerusform>
            <numerusform>%n warnings</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n info</source>
        <translation>
            <numerusform>%n info</numerusform>
            <numerusform>%n info</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n open</source>
        <translation>
            <numerusform>%n open</numerusform>
            <numerusform>%n open</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lk::DeploymentSwitcher</name>
    <message numerus="yes">
        <source>%n deployment(s)</source>
        <translation>
            <numerusform>%n deployment</numerusform>
            <numerusform>%n deployments</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lk::ExpiryHistogram</name>
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
        <source>%Ln without TTL</source>
        <translation>
            <numerusform>%Ln without TTL</numerusform>
            <numerusform>%Ln without TTL</numerusform>
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
    <name>lk::HistoryCommand</name>
    <message numerus="yes">
        <source>%Ln more with that name; give a key name</source>
        <translation>
            <numerusform>%Ln more with that name; give a key name</numerusform>
            <numerusform>%Ln more with that name; give a key name</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lk::ImportDialog</name>
    <message numerus="yes">
        <source>Import %n server(s)</source>
        <translation>
            <numerusform>Import %n server</numerusform>
            <numerusform>Import %n servers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more note(s)</source>
        <translation>
            <numerusform>%n more note</numerusform>
            <numerusform>%n more notes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The file has %n password(s). Those that the keyring does not keep are dropped.</source>
        <translation>
            <numerusform>The file has %n password. What the keyring does not keep is dropped.</numerusform>
            <numerusform>The file has %n passwords. Those that the keyring does not keep are dropped.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lk::JobLinks</name>
    <message numerus="yes">
        <source>%Ln linked jobs, too many to list</source>
        <translation>
            <numerusform>%Ln linked job, too many to list</numerusform>
            <numerusform>%Ln linked jobs, too many to list</numerusform>
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
    <name>lk::JobsReport</name>
    <message numerus="yes">
        <source>%1: %Ln job(s)</source>
        <translation>
            <numerusform>%1: %Ln job</numerusform>
            <numerusform>%1: %Ln jobs</numerusform>
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
        <source>&amp;Undo all %Ln…</source>
        <translation>
            <numerusform>&amp;Undo all %Ln…</numerusform>
            <numerusform>&amp;Undo all %Ln…</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln action(s)</source>
        <translation>
            <numerusform>%Ln action</numerusform>
            <numerusform>%Ln actions</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lk::JournalModel</name>
    <message numerus="yes">
        <source>%Ln action(s)</source>
        <translation>
            <numerusform>%Ln action</numerusform>
            <numerusform>%Ln actions</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lk::LayoutTrial</name>
    <message numerus="yes">
        <source>%Ln primitive(s) of the layout %1; %2 keys were read.
</source>
        <translation>
            <numerusform>%Ln primitive of the layout %1; %2 keys were read.
</numerusform>
            <numerusform>%Ln primitives of the layout %1; %2 keys were read.
</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>
%Ln key(s) named like that are not it: %1
</source>
        <translation>
            <numerusform>
%Ln key of such a name is left out: %1
</numerusform>
            <numerusform>
%Ln keys of such a name are left out: %1
</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lk::LifeDialog</name>
    <message numerus="yes">
        <source>%Ln line(s)</source>
        <translation>
            <numerusform>%Ln line</numerusform>
            <numerusform>%Ln lines</numerusform>
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
    <name>lk::LockBody</name>
    <message numerus="yes">
        <source>%Ln readers</source>
        <translation>
            <numerusform>%Ln reader</numerusform>
            <numerusform>%Ln readers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln holders</source>
        <translation>
            <numerusform>%Ln holder</numerusform>
            <numerusform>%Ln holders</numerusform>
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
    <name>lk::OverviewPage</name>
    <message numerus="yes">
        <source>The limits of %Ln limiter(s) are not known…</source>
        <translation>
            <numerusform>The limit of %Ln limiter is not known…</numerusform>
            <numerusform>The limits of %Ln limiters are not known…</numerusform>
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
    <message numerus="yes">
        <source>its keys are in %Ln slots</source>
        <translation>
            <numerusform>its keys are in %Ln slot</numerusform>
            <numerusform>its keys are in %Ln slots</numerusform>
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
    <message numerus="yes">
        <source>Group %1, %n rows, most severe: %2, %3</source>
        <translation>
            <numerusform>Group %1, %n row, most severe: %2, %3</numerusform>
            <numerusform>Group %1, %n rows, most severe: %2, %3</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1: %n rows, most severe: %2</source>
        <translation>
            <numerusform>%1: %n row, most severe: %2</numerusform>
            <numerusform>%1: %n rows, most severe: %2</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lk::ReceiptView</name>
    <message numerus="yes">
        <source>Undo &amp;all %Ln…</source>
        <translation>
            <numerusform>Undo &amp;all %Ln…</numerusform>
            <numerusform>Undo &amp;all %Ln…</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln result(s); nothing was changed</source>
        <translation>
            <numerusform>%Ln result; nothing was changed</numerusform>
            <numerusform>%Ln results; nothing was changed</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lk::RedlockDialog</name>
    <message numerus="yes">
        <source>%Ln server(s)</source>
        <translation>
            <numerusform>%Ln server</numerusform>
            <numerusform>%Ln servers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>It may stay held on %Ln server(s) that cannot be reached or refuse.</source>
        <translation>
            <numerusform>It may stay held on %Ln server that cannot be reached or refuses.</numerusform>
            <numerusform>It may stay held on %Ln servers that cannot be reached or refuse.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lk::ScanText</name>
    <message numerus="yes">
        <source>%Ln key(s) read</source>
        <translation>
            <numerusform>%Ln key read</numerusform>
            <numerusform>%Ln keys read</numerusform>
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
        <source>running: %Ln key(s) so far</source>
        <translation>
            <numerusform>running: %Ln key so far</numerusform>
            <numerusform>running: %Ln keys so far</numerusform>
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
    <message numerus="yes">
        <source>%n masters</source>
        <translation>
            <numerusform>%n master</numerusform>
            <numerusform>%n masters</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n masters</source>
        <translation>
            <numerusform>%1 of %n master</numerusform>
            <numerusform>%1 of %n masters</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n job(s)</source>
        <translation>
            <numerusform>%n job</numerusform>
            <numerusform>%n jobs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lk::StatusTexts</name>
    <message numerus="yes">
        <source>; %n node(s) polled</source>
        <translation>
            <numerusform>; %n node polled</numerusform>
            <numerusform>; %n nodes polled</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lk::TimeBar</name>
    <message numerus="yes">
        <source>and %Ln more at that moment</source>
        <translation>
            <numerusform>and %Ln more at that moment</numerusform>
            <numerusform>and %Ln more at that moment</numerusform>
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
        <source>%Ln event(s)</source>
        <translation>
            <numerusform>%Ln event</numerusform>
            <numerusform>%Ln events</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lk::TimeStrip</name>
    <message numerus="yes">
        <source>%Ln event(s) in view</source>
        <translation>
            <numerusform>%Ln event in view</numerusform>
            <numerusform>%Ln events in view</numerusform>
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
    <name>lk::TimelineEntry</name>
    <message numerus="yes">
        <source>%Ln job(s) stuck</source>
        <translation>
            <numerusform>%Ln job stuck</numerusform>
            <numerusform>%Ln jobs stuck</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>renewed %Ln time(s)</source>
        <translation>
            <numerusform>renewed %Ln time</numerusform>
            <numerusform>renewed %Ln times</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln shorter hold(s) not listed</source>
        <translation>
            <numerusform>%Ln shorter hold not listed</numerusform>
            <numerusform>%Ln shorter holds not listed</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lk::WaitingList</name>
    <message numerus="yes">
        <source>and %Ln more</source>
        <translation>
            <numerusform>and %Ln more</numerusform>
            <numerusform>and %Ln more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln blocked on a list of this database; probably not this one, which has jobs waiting</source>
        <translation>
            <numerusform>%Ln blocked on a list of this database; probably not this one, which has jobs waiting</numerusform>
            <numerusform>%Ln blocked on a list of this database; probably not this one, which has jobs waiting</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln blocked on a list of this database; inferred to be this one: no other detected queue is empty</source>
        <translation>
            <numerusform>%Ln blocked on a list of this database; inferred to be this one: no other detected queue is empty</numerusform>
            <numerusform>%Ln blocked on a list of this database; inferred to be this one: no other detected queue is empty</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln blocked on a list of this database; the server does not say which</source>
        <translation>
            <numerusform>%Ln blocked on a list of this database; the server does not say which</numerusform>
            <numerusform>%Ln blocked on a list of this database; the server does not say which</numerusform>
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
<context>
    <name>lk::WorkerList</name>
    <message numerus="yes">
        <source>No worker is listening, and %Ln job(s) are waiting.</source>
        <translation>
            <numerusform>No worker is listening, and %Ln job is waiting.</numerusform>
            <numerusform>No worker is listening, and %Ln jobs are waiting.</numerusform>
        </translation>
    </message>
</context>
</TS>
