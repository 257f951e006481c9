// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/alerts/delivery/sender.h"
#include "backend/alerts/rules/alerttext.h"
#include "backend/alerts/rules/condition.h"
#include "backend/alerts/rules/notificationjson.h"
#include "backend/alerts/rules/notificationplanner.h"
#include "backend/alerts/rules/quiethours.h"
#include "backend/config/alerts/alertedit.h"
#include "backend/config/config.h"
#include "tests/support/testprogram.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace lk;
using Type = Notification::Type;

// Who is told what and when, by times that are given; and what the file may say of it.
class TestAlertNotifying : public QObject
{
    Q_OBJECT

private:
    static AlertPtr alert(const QByteArray& name,
                          Finding::Severity severity = Finding::Severity::Warning,
                          qint64 resolvedMs = 0)
    {
        Alert made;
        made.id = "id-" + name;
        made.rule = "queue-stuck";
        made.severity = severity;
        made.kind = Kind::Queue;
        made.name = name;
        made.primitive = {"bullmq", name};
        made.text = QStringLiteral("3 jobs are stuck");
        made.firedMs = 1000;
        made.resolvedMs = resolvedMs;
        return std::make_shared<Alert>(made);
    }
    static AlertEvent fired(const AlertPtr& alert) { return {AlertEvent::Type::Fired, alert}; }
    static AlertEvent resolved(const AlertPtr& open)
    {
        return {AlertEvent::Type::Resolved, alert(open->name, open->severity, 2000)};
    }
    static AlertSettings settings(const QByteArray& toml)
    {
        const Result<Config> config = parseConfig(toml, QStringLiteral("t.toml"));
        if (!config)
            qWarning("%s", qPrintable(config.error().detail));
        return config ? config->alerts : AlertSettings();
    }
    // A Monday.
    static QDateTime at(int hour, int minute = 0, int second = 0)
    {
        return QDateTime(QDate(2026, 11, 23), QTime(hour, minute, second));
    }
    static QByteArrayList told(NotificationPlanner& planner, const QDateTime& now,
                               const std::vector<Silence>& silences = {})
    {
        QByteArrayList all;
        for (const Notification& n : planner.due(now, silences))
            all << n.target +
                       (n.type == Type::Fired      ? " +"
                        : n.type == Type::Resolved ? " -"
                                                   : " summary ") +
                       (n.alerts.size() == 1
                            ? n.alerts.front()->name
                            : QByteArray::number(n.fired) + '/' + QByteArray::number(n.resolved));
        return all;
    }

private slots:
    void eachTargetIsToldOnceAndOfTheEnd();
    void manyAtOnceAreOneSummary();
    void whatComesSoonAfterWaits();
    void quietHoursHoldBack();
    void quietHours_data();
    void quietHours();
    void silenceHoldsBackUntilItEnds();
    void whoWasToldBeforeARestartIsNotToldAgain();
    void acknowledgedBeforeAnybodyWasTold();
    void theJsonIsAsDocumented();
    void signaturesAreWhatOpensslSays();
    void pausesGrow();
    void theFile();
    void refusals_data();
    void refusals();
    void rulesAreWrittenInPlace();
};

void TestAlertNotifying::eachTargetIsToldOnceAndOfTheEnd()
{
    NotificationPlanner planner;
    planner.setSettings(
        settings("[notify.a]\ncommand = [\"x\"]\n[[alert]]\nwhen = \"queue-stuck\"\n"
                 "notify = [\"a\", \"desktop\", \"a\"]\n"));
    const AlertPtr mail = alert("mail");
    planner.add({fired(mail)});
    QCOMPARE(told(planner, at(12)), (QByteArrayList{"a +mail", "desktop +mail"}));
    QCOMPARE(told(planner, at(13)), QByteArrayList());
    planner.add({resolved(mail)});
    QCOMPARE(told(planner, at(14)), (QByteArrayList{"a -mail", "desktop -mail"}));
    QVERIFY(planner.notified().isEmpty());
    // Resolved before any notification: none is sent.
    planner.add({fired(mail), resolved(mail)});
    QCOMPARE(told(planner, at(15)), QByteArrayList());
}

void TestAlertNotifying::manyAtOnceAreOneSummary()
{
    NotificationPlanner planner;
    planner.setSettings({});
    std::vector<AlertEvent> events;
    for (int i = 0; i < 300; ++i)
        events.push_back(
            fired(alert("q" + QByteArray::number(i),
                        i == 299 ? Finding::Severity::Error : Finding::Severity::Info)));
    planner.add(events);
    const std::vector<Notification> out = planner.due(at(12), {});
    QCOMPARE(out.size(), size_t(1));
    QCOMPARE(out[0].type, Type::Summary);
    QCOMPARE(out[0].fired, 300);
    QCOMPARE(out[0].alerts.size(), NotificationPlanner::mostListed);
    QCOMPARE(out[0].alerts.front()->name, QByteArray("q299")); // the worst first
    QCOMPARE(out[0].notified.size(), 300);
    QCOMPARE(titleOf(out[0]), QStringLiteral("Alerts: 300 fired, 0 resolved"));
    events.clear();
    for (int i = 0; i < 300; ++i)
        events.push_back(resolved(alert("q" + QByteArray::number(i))));
    planner.add(events);
    QCOMPARE(told(planner, at(13)), QByteArrayList{"desktop summary 0/300"});
}

void TestAlertNotifying::whatComesSoonAfterWaits()
{
    NotificationPlanner planner;
    planner.setSettings({});
    planner.add({fired(alert("a"))});
    QCOMPARE(told(planner, at(12, 0, 0)), QByteArrayList{"desktop +a"});
    for (int i = 1; i < 9; ++i) {
        planner.add({fired(alert("b" + QByteArray::number(i)))});
        QCOMPARE(told(planner, at(12, 0, i)), QByteArrayList());
    }
    QCOMPARE(told(planner, at(12, 0, 10)), QByteArrayList{"desktop summary 8/0"});
}

void TestAlertNotifying::quietHoursHoldBack()
{
    NotificationPlanner planner;
    planner.setSettings(settings("[[quiet]]\nfrom = \"22:00\"\nto = \"07:00\"\n"));
    const AlertPtr over = alert("over");
    planner.add(
        {fired(alert("mail")), fired(over), fired(alert("worse", Finding::Severity::Error))});
    QCOMPARE(told(planner, at(23)), QByteArrayList{"desktop +worse"});
    planner.add({resolved(over)});
    QCOMPARE(told(planner, at(23, 59)), QByteArrayList());
    QCOMPARE(told(planner, at(7).addDays(1)), QByteArrayList{"desktop +mail"});
}

void TestAlertNotifying::quietHours_data()
{
    QTest::addColumn<QByteArray>("toml");
    QTest::addColumn<QDateTime>("when");
    QTest::addColumn<bool>("quiet");
    const QByteArray night = "[[quiet]]\nfrom = \"22:00\"\nto = \"07:00\"\n";
    const QByteArray weekend = "[[quiet]]\nfrom = \"00:00\"\nto = \"00:00\"\n"
                               "days = [\"sat\", \"sun\"]\n";
    const QByteArray friday = night + "days = [\"fri\"]\n";
    QTest::newRow("evening") << night << at(22) << true;
    QTest::newRow("before") << night << at(21, 59) << false;
    QTest::newRow("morning") << night << at(6, 59) << true;
    QTest::newRow("its end") << night << at(7) << false;
    QTest::newRow("lunch") << QByteArray("[[quiet]]\nfrom = \"12:00\"\nto = \"13:00\"\n")
                           << at(12, 30) << true;
    QTest::newRow("all Saturday") << weekend << at(15).addDays(5) << true;
    QTest::newRow("Sunday's last minute") << weekend << at(23, 59).addDays(6) << true;
    QTest::newRow("Monday again") << weekend << at(0) << false;
    QTest::newRow("Friday night") << friday << at(23).addDays(4) << true;
    QTest::newRow("Saturday morning after it") << friday << at(6).addDays(5) << true;
    QTest::newRow("Friday morning") << friday << at(6).addDays(4) << false;
}

void TestAlertNotifying::quietHours()
{
    QFETCH(QByteArray, toml);
    QFETCH(QDateTime, when);
    QFETCH(bool, quiet);
    const std::vector<QuietHours> hours = settings(toml).quiet;
    QCOMPARE(isQuiet(hours, Finding::Severity::Warning, when), quiet);
    QCOMPARE(isQuiet(hours, Finding::Severity::Error, when), false);
}

void TestAlertNotifying::silenceHoldsBackUntilItEnds()
{
    NotificationPlanner planner;
    planner.setSettings({});
    Silence silence;
    silence.match = "mail*";
    silence.untilMs = at(14).toMSecsSinceEpoch();
    const AlertPtr mail = alert("mail");
    planner.add({fired(mail), fired(alert("jobs"))});
    QCOMPARE(told(planner, at(12), {silence}), QByteArrayList{"desktop +jobs"});
    QCOMPARE(told(planner, at(13), {silence}), QByteArrayList());
    QCOMPARE(told(planner, at(14), {silence}), QByteArrayList{"desktop +mail"});
    // Who was told hears of the end, silenced or not.
    silence.untilMs = 0;
    planner.add({resolved(mail)});
    QCOMPARE(told(planner, at(15), {silence}), QByteArrayList{"desktop -mail"});
    Silence other;
    other.rule = "queue.ready > 5";
    QVERIFY(!other.covers(*mail, 0));
    other.rule = mail->rule;
    QVERIFY(other.covers(*mail, 0));
}

void TestAlertNotifying::whoWasToldBeforeARestartIsNotToldAgain()
{
    NotificationPlanner planner;
    planner.setSettings(settings("[notify.a]\ncommand = [\"x\"]\n[alerts]\n"
                                 "notify = [\"a\", \"desktop\"]\n"));
    const AlertPtr mail = alert("mail");
    planner.restore({mail}, {{mail->id, {"desktop"}}});
    QCOMPARE(told(planner, at(12)), QByteArrayList{"a +mail"});
    planner.add({resolved(mail)});
    QCOMPARE(told(planner, at(13)), (QByteArrayList{"a -mail", "desktop -mail"}));
}

void TestAlertNotifying::acknowledgedBeforeAnybodyWasTold()
{
    NotificationPlanner planner;
    planner.setSettings(settings("[[quiet]]\nfrom = \"22:00\"\nto = \"07:00\"\n"));
    const AlertPtr mail = alert("mail");
    planner.add({fired(mail)});
    QCOMPARE(told(planner, at(23)), QByteArrayList());
    planner.acknowledged(mail->id);
    QCOMPARE(told(planner, at(9)), QByteArrayList());
}

void TestAlertNotifying::theJsonIsAsDocumented()
{
    NotificationPlanner planner;
    planner.setSettings({});
    planner.add({fired(alert("ma\xffil"))});
    const std::vector<Notification> out = planner.due(at(12), {});
    const QByteArray json = notificationJson(out.front(), QStringLiteral("orders-eu"));
    QCOMPARE(json, notificationJson(out.front(), QStringLiteral("orders-eu")));
    const QJsonObject root = QJsonDocument::fromJson(json).object();
    QCOMPARE(root.keys(),
             (QStringList{QStringLiteral("alerts"), QStringLiteral("at_ms"),
                          QStringLiteral("deployment"), QStringLiteral("event"),
                          QStringLiteral("fired"), QStringLiteral("id"), QStringLiteral("resolved"),
                          QStringLiteral("schema"), QStringLiteral("title")}));
    QCOMPARE(root[QStringLiteral("event")].toString(), QStringLiteral("fired"));
    const QJsonObject one = root[QStringLiteral("alerts")][0].toObject();
    QCOMPARE(one[QStringLiteral("name")].toString(), QStringLiteral("ma\\xffil"));
    QCOMPARE(one[QStringLiteral("status")].toString(), QStringLiteral("firing"));
    QVERIFY(one[QStringLiteral("resolved_ms")].isNull());
}

// printf '%s' '1700000000.{"a":1}' | openssl dgst -sha256 -hmac key
void TestAlertNotifying::signaturesAreWhatOpensslSays()
{
    QCOMPARE(signatureOf("{\""
                         "a\":1}",
                         1'700'000'000, "key"),
             QByteArray("v1=a438e398bfafc57e4396bb7fc2304422f0f768e965d073ca313cb52e22e6ad03"));
}

void TestAlertNotifying::pausesGrow()
{
    QCOMPARE(retryAfterMs(1), 1000);
    QCOMPARE(retryAfterMs(2), 2000);
    QCOMPARE(retryAfterMs(5), 16'000);
    QCOMPARE(retryAfterMs(1000), 300'000);
}

void TestAlertNotifying::theFile()
{
    const AlertSettings all = settings(R"(
[alerts]
built_in = false
notify = ["pager"]
[[alert]]
when = "queue-stuck"
match = "mail:*"
for = "2m"
notify = ["desktop", "pager"]
[[alert]]
when = "queue.ready > 1000"
resolve = 800
severity = "error"
[[alert]]
when = "lock.held >= 90s"
off = true
[[quiet]]
from = "22:00"
to = "07:00"
up_to = "error"
[notify.pager]
webhook = "https://example.com/hook"
secret_env = "LOCKKEEPER_HOOK_SECRET"
ca_file = "/etc/hook.pem"
timeout = "5s"
once = true
[notify.mail]
command = ["/usr/local/bin/page", "--now"]
)");
    QCOMPARE(all.rules.size(), size_t(3));
    QCOMPARE(all.rules[0].id(), QByteArray("queue-stuck @ mail:*"));
    QCOMPARE(all.rules[0].forMs, 120'000);
    QCOMPARE(targetsOf(all.rules[0], all), (QByteArrayList{"desktop", "pager"}));
    QCOMPARE(targetsOf(all.rules[1], all), QByteArrayList{"pager"});
    QCOMPARE(all.rules[1].resolve.value(), 800.0);
    QCOMPARE(all.rules[1].severity, Finding::Severity::Error);
    const auto held = std::get<MetricCondition>(all.rules[2].condition);
    QCOMPARE(held.bound, 90'000.0);
    QCOMPARE(held.comparison, Comparison::AtLeast);
    QCOMPARE(rulesInForce(all).size(), size_t(2));
    QCOMPARE(all.quiet.front().upTo, Finding::Severity::Error);
    QCOMPARE(all.targets.size(), size_t(2));
    for (const NotifyTarget& target : all.targets)
        QCOMPARE(target.once, target.name == "pager");
    QVERIFY(!all.builtIn);
}

void TestAlertNotifying::refusals_data()
{
    QTest::addColumn<QByteArray>("toml");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* name, const char* toml, const char* says) {
        QTest::newRow(name) << QByteArray(toml) << QString::fromLatin1(says);
    };
    row("key", "[[alert]]\nwhen = 'queue-stuck'\nmatsch = 'x'\n",
        "t.toml:3: unknown key \"matsch\"; did you mean \"match\"?");
    row("no when", "[[alert]]\nmatch = 'x'\n", "t.toml:1: \"when\" is missing");
    row("finding", "[[alert]]\nwhen = 'queue-stuk'\n", "did you mean \"queue-stuck\"?");
    row("kind", "[[alert]]\nwhen = 'queu.ready > 1'\n", "did you mean \"queue\"?");
    row("metric", "[[alert]]\nwhen = 'queue.redy > 1'\n", "did you mean \"ready\"?");
    row("number", "[[alert]]\nwhen = 'queue.ready > many'\n", "is compared with a number");
    row("duration", "[[alert]]\nwhen = 'lock.held > long'\n", "is compared with a duration");
    row("span", "[[alert]]\nwhen = 'queue.dead > 0 in 10x'\n", "t.toml:2: ");
    row("form", "[[alert]]\nwhen = 'queue.ready = 5'\n", "a metric is compared as");
    row("for", "[[alert]]\nwhen = 'queue-stuck'\nfor = '2'\n", "t.toml:3: for: ");
    row("severity", "[[alert]]\nwhen = 'queue-stuck'\nseverity = 'bad'\n",
        "\"severity\" is one of: info, warning, error");
    row("resolve", "[[alert]]\nwhen = 'queue.ready > 5'\nresolve = 6\n", "does not hold");
    row("resolve of a finding", "[[alert]]\nwhen = 'queue-stuck'\nresolve = 6\n", "needs a metric");
    row("target",
        "[[alert]]\nwhen = 'queue-stuck'\nnotify = ['pagr']\n[notify.pager]\n"
        "command = ['x']\n",
        "t.toml:3: unknown target \"pagr\"; did you mean \"pager\"?");
    row("twice", "[[alert]]\nwhen = 'queue-stuck'\n[[alert]]\nwhen = 'queue-stuck'\n",
        "t.toml:4: the same alert is already in line 1");
    row("form of the table", "[alert]\nwhen = 'queue-stuck'\n", "is written as [[alert]]");
    row("neither", "[notify.a]\ntimeout = '5s'\n", "either a");
    row("both", "[notify.a]\nwebhook = 'https://h/'\ncommand = ['x']\n", "either a");
    row("plain HTTP", "[notify.a]\nwebhook = 'http://h/'\n", "must be an https:// URL");
    row("a password", "[notify.a]\nwebhook = 'https://u:p@h/'\n", "a password does not belong");
    row("secret of a command", "[notify.a]\ncommand = ['x']\nsecret_env = 'X'\n", "webhook");
    row("once of a command", "[notify.a]\ncommand = ['x']\nonce = true\n",
        "t.toml:3: this key is only for a \"webhook\"");
    row("once as a word", "[notify.a]\nwebhook = 'https://h/'\nonce = 'yes'\n", "true or false");
    row("nothing to run", "[notify.a]\ncommand = []\n", "the program, then its arguments");
    row("desktop", "[notify.desktop]\ncommand = ['x']\n", "is built in");
    row("time", "[[quiet]]\nfrom = '25:00'\nto = '07:00'\n", "must be a time of day");
    row("no end", "[[quiet]]\nfrom = '22:00'\n", "\"to\" is missing");
    row("day", "[[quiet]]\nfrom = '22:00'\nto = '07:00'\ndays = ['mo']\n",
        "unknown day \"mo\"; did you mean \"mon\"?");
    row("switch", "[alerts]\nbuilt_in = 'no'\n", "must be true or false");
    row("table", "[alertz]\nbuilt_in = true\n", "did you mean \"alert\"?");
}

void TestAlertNotifying::refusals()
{
    QFETCH(QByteArray, toml);
    QFETCH(QString, says);
    const Result<Config> config = parseConfig(toml, QStringLiteral("t.toml"));
    QVERIFY(!config.has_value());
    QVERIFY2(config.error().detail.contains(says), qPrintable(config.error().detail));
    QVERIFY2(config.error().detail.startsWith(QStringLiteral("t.toml:")),
             qPrintable(config.error().detail));
}

void TestAlertNotifying::rulesAreWrittenInPlace()
{
    const QByteArray toml = "# mine\n[[alert]]\nwhen = \"queue-stuck\" # bad\nfor = \"2m\"\n\n"
                            "[[alert]]\nwhen = \"queue.ready > 5\"\n# end\n";
    AlertRule rule = parseConfig(toml, QStringLiteral("t"))->alerts.rules[0];
    rule.forMs = 0;
    rule.match = "mail:*";
    rule.severity = Finding::Severity::Error;
    const Result<ConfigEdit> edit = writeAlert(toml, QStringLiteral("t"), rule, "queue-stuck");
    QVERIFY2(edit.has_value(), edit ? "" : qPrintable(edit.error().detail));
    QCOMPARE(edit->text, QByteArray("# mine\n[[alert]]\nwhen = \"queue-stuck\" # bad\n"
                                    "match = \"mail:*\"\nseverity = \"error\"\n\n"
                                    "[[alert]]\nwhen = \"queue.ready > 5\"\n# end\n"));
    // A built-in one is not there yet: it gets a block of its own.
    AlertRule off = builtInRules().back();
    off.off = true;
    off.forMs = 1500;
    const Result<ConfigEdit> added = writeAlert(edit->text, QStringLiteral("t"), off, off.id());
    QVERIFY(added.has_value());
    QCOMPARE(added->lines, QByteArray("[[alert]]\nwhen = \"server.lost_nodes > 0\"\n"
                                      "for = \"1500ms\"\nseverity = \"error\"\noff = true"));
    QVERIFY(added->text.startsWith(edit->text));
    // Another's id is refused, and so is what a person has written in another way.
    rule.when = "queue.ready > 5";
    rule.condition = parseCondition(rule.when).value();
    rule.match.clear();
    QVERIFY(!writeAlert(edit->text, QStringLiteral("t"), rule, "queue-stuck @ mail:*").has_value());
    const QByteArray inlined = "alert = [{when = \"queue-stuck\"}]\n";
    rule = parseConfig(inlined, QStringLiteral("t"))->alerts.rules[0];
    rule.forMs = 1000;
    QVERIFY(!writeAlert(inlined, QStringLiteral("t"), rule, "queue-stuck").has_value());
}

LK_TEST(TestAlertNotifying);
#include "tst_alertnotifying.moc"
