// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/act/actcommands.h"
#include "app/cli/act/actinvocation.h"
#include "tests/support/testprogram.h"

#include "backend/libraries/api/action.h"
#include "backend/libraries/api/layout.h"

#include "backend/text/errortext.h"

#include <QSet>
#include <QTest>

#include <algorithm>

using namespace lk;
using namespace Qt::StringLiterals;
using What = ActInvocation::What;
using Values = std::map<QByteArray, QByteArray>;

namespace {

QStringList wordsOf(const QString& line)
{
    return line.isEmpty() ? QStringList() : line.split(u' ');
}

// Some layout's action takes it as it stands.
bool isSufficient(const ActInvocation& act)
{
    ActionRequest request = act.request;
    for (const auto& [name, file] : act.files)
        request.values[name] = "{}";
    const auto all = allLayouts();
    return std::any_of(all.begin(), all.end(), [&](const Layout* layout) {
        const Action* action = findAction(*layout, act.action);
        if (!action || problemWith(request, *action))
            return false;
        const std::vector<ActionParameter> parameters = action->parameters();
        const auto isChoice = [](const ActionParameter& p) { return p.oneOf; };
        return std::none_of(parameters.begin(), parameters.end(), isChoice) ||
               1 == std::count_if(parameters.begin(), parameters.end(),
                                  [&](const auto& p) { return p.oneOf && request.has(p.name); });
    });
}

} // namespace

class TestActInvocation : public QObject
{
    Q_OBJECT

private slots:
    void steps_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QByteArray>("action");
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<Values>("values");
        const auto row = [](const char* line, const char* action, const QByteArray& name,
                            const Values& values) {
            QTest::newRow(line) << QString::fromUtf8(line) << QByteArray(action) << name << values;
        };
        row("h lock release lock:a --owner w1", "lock.release", "lock:a", {{"owner", "w1"}});
        row("h lock release lock:a --owner=w1=2", "lock.release", "lock:a", {{"owner", "w1=2"}});
        row("h --owner w1 lock release lock:a", "lock.release", "lock:a", {{"owner", "w1"}});
        row("--owner w1 h lock release lock:a", "lock.release", "lock:a", {{"owner", "w1"}});
        row("h lock ttl lock:a --ttl 30s", "lock.ttl", "lock:a", {{"ttl", "30s"}});
        row("h lock ttl lock:a --ttl 30s --owner w1", "lock.ttl", "lock:a",
            {{"ttl", "30s"}, {"owner", "w1"}});
        row("h lock takeover lock:a --ttl 30s", "lock.takeover", "lock:a", {{"ttl", "30s"}});
        row("h queue requeue jobs --index 3", "queue.requeue", "jobs", {{"index", "3"}});
        row("h queue requeue jobs --older-than 30s", "queue.requeue", "jobs",
            {{"older-than", "30s"}});
        row("h queue requeue jobs --older-than 30s --most 5", "queue.requeue", "jobs",
            {{"older-than", "30s"}, {"most", "5"}});
        row("h queue requeue --all jobs", "queue.requeue", "jobs", {{"all", ""}});
        row("h queue discard jobs --index 1", "queue.discard", "jobs", {{"index", "1"}});
        row("h queue dead-letter jobs --all", "queue.dead-letter", "jobs", {{"all", ""}});
        row("h queue retry jobs --all", "queue.retry", "jobs", {{"all", ""}});
        row("h queue rotate ring", "queue.rotate", "ring", {});
        row("h queue push jobs --payload {}", "queue.push", "jobs", {{"payload", "{}"}});
        row("h limiter clear api", "limiter.clear", "api", {});
        row("h limiter open gate", "limiter.open", "gate", {});
        row("h limiter cap api --horizon 5s", "limiter.cap", "api", {{"horizon", "5s"}});
        row("h limiter repair api", "limiter.repair", "api", {});
        row("h limiter rate api --limit 5 --interval 1m", "limiter.rate", "api",
            {{"limit", "5"}, {"interval", "1m"}});
        row("h limiter check api", "limiter.check", "api", {});
        row("h token issue --prefix code: --ttl 1h", "token.issue", "",
            {{"prefix", "code:"}, {"ttl", "1h"}});
        row("h token issue --hash --prefix code: --ttl 1h --payload x", "token.issue", "",
            {{"hash", ""}, {"prefix", "code:"}, {"ttl", "1h"}, {"payload", "x"}});
        row("h token validate code:1", "token.validate", "code:1", {});
        row("h token consume code:1", "token.consume", "code:1", {});
        row("h token revoke code:1", "token.revoke", "code:1", {});
        row("h token extend code:1 --ttl 1h", "token.extend", "code:1", {{"ttl", "1h"}});
        row("h key delete k", "key.delete", "k", {});
        row("h key ttl k --none", "key.ttl", "k", {{"none", ""}});
        // Names as they are shown; payloads as they are.
        row(R"(h lock release a\xff --owner \x00b)", "lock.release", "a\xff",
            {{"owner", QByteArray("\0b", 2)}});
        row(R"(h queue push jobs --payload \x00)", "queue.push", "jobs", {{"payload", R"(\x00)"}});
        row("h queue rotate -- --ring", "queue.rotate", "--ring", {});
    }
    void steps()
    {
        QFETCH(QString, line);
        QFETCH(QByteArray, action);
        QFETCH(QByteArray, name);
        QFETCH(Values, values);
        const auto act = parseAct(wordsOf(line), {});
        QVERIFY2(act, act ? "" : qPrintable(errorText(act.error())));
        QCOMPARE(act->what, What::Step);
        QCOMPARE(act->url.host, u"h"_s);
        QCOMPARE(act->action, action);
        QCOMPARE(act->name, name);
        QVERIFY(act->request.values == values);
        QVERIFY(!act->dryRun && !act->yes && !act->json);
    }

    void commonOptions()
    {
        const auto act =
            parseAct({u"redis://h:7/3"_s, u"lock"_s, u"ttl"_s, u"a"_s, u"--ttl"_s, u"1s"_s,
                      u"--dry-run"_s, u"--yes"_s, u"--reason"_s, u"it is stuck"_s, u"--config"_s,
                      u"c.toml"_s, u"--environment=prod"_s},
                     {});
        QVERIFY(act);
        QVERIFY(act->dryRun && act->yes);
        QCOMPARE(act->reason, u"it is stuck"_s);
        QCOMPARE(act->configFile, u"c.toml"_s);
        QCOMPARE(act->environment, u"prod"_s);
        QCOMPARE(act->url.database, 3);
        const auto file = parseAct(wordsOf(u"h queue push jobs --payload-file -"_s), {});
        QVERIFY(file);
        QCOMPARE(file->files.at("payload"), u"-"_s);
        QVERIFY(file->exposed.isEmpty());
        const auto in = parseAct(wordsOf(u"h queue push jobs --payload -"_s), {});
        QCOMPARE(in->files.at("payload"), u"-"_s);
        QVERIFY(!in->request.has("payload"));
        const auto owner = parseAct(wordsOf(u"h lock release a --owner-file /f"_s), {});
        QCOMPARE(owner->files.at("owner"), u"/f"_s);
        QCOMPARE(parseAct(wordsOf(u"h lock release a --owner -"_s), {})->files.at("owner"), u"-"_s);
        const auto shown = parseAct(wordsOf(u"h lock release a --owner w1"_s), {});
        QCOMPARE(shown->exposed, QByteArrayList{"owner"});
        QVERIFY(!parseAct(wordsOf(u"h lock ttl a --ttl-file -"_s), {}));
        QVERIFY(!file->request.has("payload"));
        // A text that looks like an option is a text where one is expected.
        const auto dashes =
            parseAct({u"h"_s, u"queue"_s, u"push"_s, u"jobs"_s, u"--payload"_s, u"--yes"_s}, {});
        QVERIFY(dashes && !dashes->yes);
        QCOMPARE(dashes->request.text("payload"), "--yes");
    }

    void password()
    {
        QCOMPARE(parseAct(wordsOf(u"h journal"_s), u"pw"_s)->url.password, u"pw"_s);
        QCOMPARE(parseAct(wordsOf(u"redis://:own@h journal"_s), u"pw"_s)->url.password, u"own"_s);
        QCOMPARE(parseAct(wordsOf(u"h journal"_s), {})->url.password, QString());
    }

    void undoAndJournal()
    {
        const auto undo = parseAct(wordsOf(u"h undo rabc --yes"_s), {});
        QVERIFY(undo);
        QCOMPARE(undo->what, What::Undo);
        QCOMPARE(undo->receipt, "rabc");
        QVERIFY(undo->yes);
        QVERIFY(!undo->json);
        QVERIFY(parseAct(wordsOf(u"h undo rabc --json"_s), {})->json);
        QVERIFY(parseAct(wordsOf(u"h lock release a --json"_s), {})->json);
        const auto journal = parseAct(wordsOf(u"h journal --json"_s), {});
        QVERIFY(journal);
        QCOMPARE(journal->what, What::Journal);
        QVERIFY(journal->json);
        QVERIFY(!parseAct(wordsOf(u"--json h journal"_s), {})->receipt.size());
    }

    void watch()
    {
        const auto act = parseAct(
            wordsOf(
                u"h queue auto-requeue jobs --for 10m --older-than 30s --yes --environment prod"_s),
            {});
        QVERIFY(act);
        QCOMPARE(act->what, What::AutoRequeue);
        QCOMPARE(act->name, "jobs");
        QVERIFY(act->yes);
        QCOMPARE(act->request.durationMs("for").value_or(0), 600'000);
        QCOMPARE(act->request.durationMs("older-than").value_or(0), 30'000);
        const auto plain = parseAct(wordsOf(u"h queue auto-requeue jobs"_s), {});
        QVERIFY(plain && plain->request.values.empty() && !plain->yes);
        for (const char* wrong :
             {"h queue auto-requeue", "h lock watch a", "h queue auto-requeue jobs --for soon",
              "h queue auto-requeue jobs --for 0ms", "h queue auto-requeue jobs --older-than 2d",
              "h queue auto-requeue jobs --index 1", "h queue requeue jobs --for 10m"})
            QVERIFY2(!parseAct(wordsOf(QString::fromLatin1(wrong)), {}), wrong);
        QVERIFY(actHelpText().contains(u"queue auto-requeue NAME"_s));
    }

    void help_data()
    {
        QTest::addColumn<QString>("line");
        for (const char* line : {"--help", "-h", "h lock --help", "h nonsense --help"})
            QTest::newRow(line) << QString::fromUtf8(line);
    }
    void help()
    {
        QFETCH(QString, line);
        const auto act = parseAct(wordsOf(line), {});
        QVERIFY(act);
        QCOMPARE(act->what, What::Help);
    }

    void helpOfOneAction()
    {
        for (const char* line :
             {"lock release --help", "h lock release a --help", "-h lock release"}) {
            const auto act = parseAct(wordsOf(QString::fromLatin1(line)), {});
            QVERIFY(act);
            QCOMPARE(act->what, What::Help);
            QCOMPARE(act->action, "lock.release");
        }
        const QString text = actHelpText("lock.release");
        for (const char* word :
             {"lockkeeper act URL lock release NAME --owner TEXT\n",
              "lockkeeper act URL lock release NAME --permits N\n", "--owner-file FILE",
              "lock release lock:invoice:42 --owner host1 --dry-run", "Exit codes"})
            QVERIFY2(text.contains(QLatin1String(word)), qPrintable(text));
        QVERIFY(!text.contains(u"--older-than"_s));
        const QString requeue = actHelpText("queue.requeue");
        for (const char* word :
             {"requeue NAME (--index N|--older-than DURATION|--all) [--from TEXT]",
              "requeue NAME (--job TEXT|--all|--older-than DURATION)\n"})
            QVERIFY2(requeue.contains(QLatin1String(word)), qPrintable(requeue));
        QVERIFY(actHelpText("key.ttl").contains(u"ttl session:7 --ttl 30s --dry-run"_s));
        QVERIFY(actHelpText("queue.auto-requeue").contains(u"--for DURATION"_s));
        QVERIFY(actHelpText("undo").contains(u"URL undo RECEIPT|GROUP"_s));
    }

    // The words name the action, and whether an option takes a value is known before that.
    // The examples in the help are accepted as they are.
    void examplesAreAccepted()
    {
        int seen = 0;
        for (const QString& line : actHelpText().split(u'\n')) {
            if (!line.startsWith(u"  act URL "))
                continue;
            const QStringList words = line.trimmed().split(u' ');
            const bool isAlone = words[2] == u"undo" || words[2] == u"journal";
            const QString action = isAlone ? words[2] : words[2] + u'.' + words.value(3);
            const QString text = actHelpText(action.toLatin1());
            const QString begin = u"Example:\n  lockkeeper act "_s;
            const qsizetype at = text.indexOf(begin);
            QVERIFY2(at > 0, qPrintable(text));
            const QString example = text.mid(
                at + begin.size(), text.indexOf(u'\n', at + begin.size()) - at - begin.size());
            const auto act = parseAct(wordsOf(example), {});
            QVERIFY2(act, qPrintable(example));
            if (act->what == What::Step)
                QVERIFY2(isSufficient(*act), qPrintable(example));
            ++seen;
        }
        QVERIFY(seen > 30);
    }
    void anOptionTakesAValueForAllOrForNone()
    {
        std::map<QByteArray, bool> flags;
        for (const Action* action : knownActions()) {
            for (const ActionParameter& p : parametersOf(action->id())) {
                const bool flag = p.type == ActionParameter::Type::Flag;
                QVERIFY2(flags.try_emplace(p.name, flag).first->second == flag, p.name.constData());
            }
        }
    }

    // Every verb that there is has its line, with all that it must be told.
    void helpText()
    {
        const QString text = actHelpText();
        QVERIFY(text.endsWith(u'\n'));
        const auto all = knownActions();
        QVERIFY(all.size() > 20);
        QSet<QByteArray> ids;
        for (const Action* action : all) {
            QVERIFY(!ids.contains(action->id()));
            ids << action->id();
            const QString line =
                u"act URL "_s + QString::fromLatin1(action->id()).replace(u'.', u' ');
            QVERIFY2(text.contains(line), qPrintable(line));
            for (const ActionParameter& p : action->parameters()) {
                if (p.type != ActionParameter::Type::Items)
                    QVERIFY2(text.contains(u"--"_s + QString::fromLatin1(p.name)),
                             p.name.constData());
            }
        }
        for (const char* word : {"undo RECEIPT", "journal", "--dry-run", "--yes", "--reason",
                                 "--payload-file", "Exit codes"})
            QVERIFY2(text.contains(QLatin1String(word)), word);
    }

    void errors_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<ErrorCode>("code");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* line, const char* says,
                            ErrorCode code = ErrorCode::BadArgument) {
            QTest::newRow(line) << QString::fromUtf8(line) << code << QString::fromUtf8(says);
        };
        row("", "address");
        row("h", "needs a kind and a verb");
        row("http://h lock release a", "", ErrorCode::BadUrl);
        row("redis://h:99999 journal", "", ErrorCode::BadUrl);
        row("h door open x", "door");
        row("h lock", "verb");
        row("h lock open x", "open");
        row("h lock release", "name");
        row("h lock release a b --owner x", "b");
        row("h lock release a --force", "--force");
        row("h lock release a --owner", "--owner");
        row("h lock release a --foo", "Unknown option --foo");
        row("h lock release --foo a --owner x", "Unknown option --foo");
        row("h lock release a --foo=x", "Unknown option --foo;");
        row("h queue requeue jobs --permits 3",
            "Unknown option --permits; lockkeeper act queue requeue");
        row("h lock release a --owner x --ttl 3s", "--ttl");
        row("h lock release a --json --dry-run", "--json");
        row("h queue requeue jobs --hash", "--hash");
        row("h undo", "receipt");
        row("h undo rabc extra", "extra");
        row("h queue auto-requeue jobs --json", "--json");
        row("h journal --owner x", "--owner");
        row("h token issue code: --ttl 1h", "code:");
        row("h lock release a --payload-file f", "--payload-file");
    }
    void errors()
    {
        QFETCH(QString, line);
        QFETCH(ErrorCode, code);
        QFETCH(QString, says);
        const auto act = parseAct(wordsOf(line), u"pw-SECRET"_s);
        QVERIFY(!act);
        QCOMPARE(act.error().code, code);
        QVERIFY2(act.error().detail.contains(says), qPrintable(act.error().detail));
        QVERIFY(!errorText(act.error()).contains(u"SECRET"_s));
    }

    // The values of a step's parameters are checked before anything is sent.
    void requests_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<bool>("fine");
        const auto row = [](const char* line, bool fine) {
            QTest::newRow(line) << QString::fromUtf8(line) << fine;
        };
        row("h token issue --prefix code: --ttl 1h", true);
        row("h token issue --prefix code:", false); // for ever is not meant
        row("h token issue --ttl 1h", false);
        row("h lock release a --owner w1", true);
        row("h lock ttl a", false);
        row("h lock ttl a --ttl 0s", false);
        row("h lock ttl a --ttl soon", false);
        row("h queue requeue jobs --index 0", false);
        row("h queue requeue jobs --index 1", true);
        row("h queue requeue jobs --index 1 --to middle", false);
        row("h limiter free api --permits many", false);
    }
    void requests()
    {
        QFETCH(QString, line);
        QFETCH(bool, fine);
        const auto act = parseAct(wordsOf(line), {});
        QVERIFY(act);
        // Libraries may have the same verb with words of their own: which of them is meant is known
        // once the primitive is.
        const auto all = allLayouts();
        const bool known = std::any_of(all.begin(), all.end(), [&](const Layout* layout) {
            const Action* a = findAction(*layout, act->action);
            return a && !problemWith(act->request, *a);
        });
        QCOMPARE(known, fine);
    }
};

LK_TEST(TestActInvocation);
#include "tst_actinvocation.moc"
