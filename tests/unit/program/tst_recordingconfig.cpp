// SPDX-License-Identifier: GPL-3.0-or-later
// The settings of the recording in a configuration file, and how a dialog writes them.
#include "backend/config/config.h"
#include "backend/config/recordingconfig.h"
#include "tests/support/testprogram.h"

#include <QTest>

using namespace lk;
using namespace Qt::StringLiterals;

namespace {

constexpr qint64 gigabyte = 1024LL * 1024 * 1024;

QString refusalOf(const QByteArray& toml)
{
    const Result<Config> config = parseConfig(toml, u"t.toml"_s);
    return config ? QString() : config.error().detail;
}

const QByteArray written = R"(# ours
[recording]   # on the small disk
size = "1GB"  # no more

[check]
silence = ["lock-expired"]
)";

} // namespace

class TestRecordingConfig : public QObject
{
    Q_OBJECT

private slots:
    void withoutItIsAsItWas();
    void everythingThatMayBeSaid();
    void whatIsFinerIsNotKeptLonger();
    void mistakesAreRefusedWithTheirLine_data();
    void mistakesAreRefusedWithTheirLine();
    void aBlockIsAppended();
    void theBlockIsChanged();
    void aMistakeIsNotWritten();
    void sizesAreWrittenAsTheyAreRead();
};

void TestRecordingConfig::withoutItIsAsItWas()
{
    QCOMPARE(parseConfig("", u"t"_s)->recording, Retention());
    QCOMPARE(parseConfig("[recording]\n", u"t"_s)->recording, Retention());
}

void TestRecordingConfig::everythingThatMayBeSaid()
{
    const Result<Config> config =
        parseConfig("[recording]\nsize = \"500MB\"\nas_read = \"2h\"\nevery_10s = \"1d\"\n"
                    "every_minute = \"7d\"\nevery_hour = \"90d\"\n",
                    u"t"_s);
    QVERIFY(config);
    const Retention& recording = config->recording;
    QCOMPARE(recording.capBytes, 500LL * 1024 * 1024);
    QCOMPARE(recording.tiers[0].keepMs, 2 * Retention::hour);
    QCOMPARE(recording.tiers[1].keepMs, Retention::day);
    QCOMPARE(recording.tiers[2].keepMs, 7 * Retention::day);
    QCOMPARE(recording.tiers[3].keepMs, 90 * Retention::day);
    QCOMPARE(recording.tiers[2].stepMs, Retention().tiers[2].stepMs);
    QCOMPARE(parseConfig("[recording]\nsize = '2 gb'\n", u"t"_s)->recording.capBytes, 2 * gigabyte);
}

void TestRecordingConfig::whatIsFinerIsNotKeptLonger()
{
    const Result<Config> config = parseConfig("[recording]\nas_read = \"3d\"\n", u"t"_s);
    QVERIFY(config);
    QCOMPARE(config->recording.tiers[0].keepMs, 3 * Retention::day);
    QCOMPARE(config->recording.tiers[1].keepMs, 3 * Retention::day); // nothing is lost in between
    QCOMPARE(config->recording.tiers[2].keepMs, 30 * Retention::day);
}

void TestRecordingConfig::mistakesAreRefusedWithTheirLine_data()
{
    QTest::addColumn<QByteArray>("toml");
    QTest::addColumn<QString>("where");
    QTest::addColumn<QString>("what");
    QTest::newRow("unknown key") << QByteArray("[recording]\nsise = \"1GB\"\n") << u"t.toml:2:"_s
                                 << u"\"size\""_s;
    QTest::newRow("not a size") << QByteArray("[recording]\nsize = \"much\"\n") << u"t.toml:2:"_s
                                << u"500MB"_s;
    QTest::newRow("a number") << QByteArray("[recording]\nsize = 2000000\n") << u"t.toml:2:"_s
                              << u"500MB"_s;
    QTest::newRow("too small") << QByteArray("[recording]\n\nsize = \"1MB\"\n") << u"t.toml:3:"_s
                               << u"16MB"_s;
    QTest::newRow("too large") << QByteArray("[recording]\nsize = \"99999999999TB\"\n")
                               << u"t.toml:2:"_s << u"16TB"_s;
    QTest::newRow("too short") << QByteArray("[recording]\nas_read = \"1s\"\n") << u"t.toml:2:"_s
                               << u"\"as_read\""_s;
    QTest::newRow("coarser is shorter")
        << QByteArray("[recording]\nevery_minute = \"7d\"\nevery_hour = \"2d\"\n") << u"t.toml:3:"_s
        << u"\"every_minute\""_s;
    QTest::newRow("an array") << QByteArray("[[recording]]\nsize = \"1GB\"\n") << u"t.toml:1:"_s
                              << u"[recording]"_s;
}

void TestRecordingConfig::mistakesAreRefusedWithTheirLine()
{
    QFETCH(QByteArray, toml);
    QFETCH(QString, where);
    QFETCH(QString, what);
    const QString refusal = refusalOf(toml);
    QVERIFY2(refusal.startsWith(where), qPrintable(refusal));
    QVERIFY2(refusal.contains(what), qPrintable(refusal));
}

void TestRecordingConfig::aBlockIsAppended()
{
    const QByteArray before = "[check]\nsilence = [\"lock-expired\"]\n";
    Retention wanted;
    wanted.capBytes = 5 * gigabyte;
    wanted.tiers[3].keepMs = 100 * Retention::day;
    const Result<ConfigEdit> edit = writeRecording(before, u"t"_s, wanted);
    QVERIFY(edit);
    QCOMPARE(edit->text,
             before +
                 "\n[recording]\nsize = \"5GB\"\nevery_hour = \"100d\"\n"); // only what differs
    QCOMPARE(parseConfig(edit->text, u"t"_s)->recording, wanted);
    QCOMPARE(edit->firstLine, 4);
    QCOMPARE(edit->lastLine, 6);
}

void TestRecordingConfig::theBlockIsChanged()
{
    Retention wanted = parseConfig(written, u"t"_s)->recording;
    wanted.capBytes = 3 * gigabyte;
    wanted.tiers[0].keepMs = 2 * Retention::hour;
    const Result<ConfigEdit> edit = writeRecording(written, u"t"_s, wanted);
    QVERIFY(edit);
    QByteArray expected = written;
    expected.replace("\"1GB\"  # no more\n", "\"3GB\"  # no more\nas_read = \"2h\"\n");
    QCOMPARE(edit->text, expected);
    QCOMPARE(parseConfig(edit->text, u"t"_s)->recording, wanted);
}

void TestRecordingConfig::aMistakeIsNotWritten()
{
    Retention wanted;
    wanted.capBytes = 1024;
    QVERIFY(!writeRecording({}, u"t"_s, wanted));
    QVERIFY(!retentionProblem(wanted).isEmpty());
    wanted = {};
    QVERIFY(retentionProblem(wanted).isEmpty());
    wanted.tiers[2].keepMs = Retention::hour;
    QVERIFY(!writeRecording({}, u"t"_s, wanted));
    QVERIFY(!writeRecording("recording = { size = \"1GB\" }\n", u"t"_s, Retention()));
    QVERIFY(!writeRecording("[recording\n", u"t"_s, Retention()));
}

void TestRecordingConfig::sizesAreWrittenAsTheyAreRead()
{
    QCOMPARE(configSize(2 * gigabyte), u"2GB"_s);
    QCOMPARE(configSize(1536LL * 1024 * 1024), u"1536MB"_s);
    QCOMPARE(configSize(3 * 1024 * gigabyte), u"3TB"_s);
    QCOMPARE(configSize(1), u"1MB"_s);
}

LK_TEST(TestRecordingConfig);
#include "tst_recordingconfig.moc"
