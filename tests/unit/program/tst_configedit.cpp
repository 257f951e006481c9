// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/config/config.h"
#include "backend/config/configedit.h"
#include "backend/core/names/foreigntext.h"
#include "backend/core/names/glob.h"
#include "backend/text/errortext.h"
#include "tests/support/testprogram.h"
#include "tests/unit/fakekeys.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace lk;
using namespace Qt::StringLiterals;

namespace {

const QByteArray written = R"(# what we know of it   (ann)

[[limiter]]
  key = "api:*"          # all of them
layout="rolling-window"
  limit = 5   # asked for by Bob
[[lock]]
key = "lock:*"
layout = "set-nx-px"

[check]
silence = ["lock-expired"]
)";

Declaration limiter(const QByteArray& pattern, std::optional<qint64> limit,
                    std::optional<qint64> windowMs)
{
    Declaration wanted;
    wanted.pattern = pattern;
    wanted.layout = "rolling-window";
    wanted.limit = limit;
    wanted.windowMs = windowMs;
    return wanted;
}

QString why(const Result<ConfigEdit>& edit)
{
    return edit ? QString() : errorText(edit.error());
}

} // namespace

// An edit of the user's file changes only its own lines; all else stays byte for byte.
class TestConfigEdit : public QObject
{
    Q_OBJECT

private slots:
    void appendsABlock_data();
    void appendsABlock();
    void declaresKeysOfAnyKind();
    void changesTheLineOfItsBlock();
    void leavesAloneWhatItCannotChange_data();
    void leavesAloneWhatItCannotChange();
    void namesThatNeedQuotes();
    void whatIsIgnoredIsNeverClaimed();
    void silencesByName();
    void mistakesAreToldWithTheirLine_data();
    void mistakesAreToldWithTheirLine();
    void writesAFileWholeOrNotAtAll();
};

void TestConfigEdit::appendsABlock_data()
{
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("between");
    QTest::addColumn<int>("line");
    QTest::newRow("no file yet") << QByteArray() << QByteArray() << 1;
    QTest::newRow("after others") << written << QByteArray("\n") << 14;
    QTest::newRow("the last line has no end") << written.chopped(1) << QByteArray("\n\n") << 14;
    QTest::newRow("a blank line is there") << written + "\n" << QByteArray() << 14;
}

void TestConfigEdit::appendsABlock()
{
    QFETCH(QByteArray, before);
    QFETCH(QByteArray, between);
    QFETCH(int, line);
    const QByteArray block =
        "[[limiter]]\nkey = \"gate:1\"\nlayout = \"rolling-window\"\nlimit = 3\n"
        "window = \"10m\"";
    const auto edit = declareLimiter(before, u"f.toml"_s, limiter("gate:1", 3, 600'000));
    QVERIFY2(edit, qPrintable(why(edit)));
    QCOMPARE(edit->text, before + between + block + '\n');
    QCOMPARE(edit->lines, block);
    QCOMPARE(edit->firstLine, line);
    QCOMPARE(edit->lastLine, line + 4);
    const QByteArray windows = QByteArray(before).replace("\n", "\r\n");
    const auto same = declareLimiter(windows, u"f.toml"_s, limiter("gate:1", 3, 600'000));
    QVERIFY2(same, qPrintable(why(same)));
    QVERIFY(same->text.startsWith(windows));
    if (!before.isEmpty())
        QCOMPARE(same->text.count('\n'), same->text.count("\r\n"));
}

void TestConfigEdit::declaresKeysOfAnyKind()
{
    Declaration wanted;
    wanted.kind = Kind::Token;
    wanted.pattern = "invite:*";
    wanted.layout = "string-token";
    const auto edit = declareKeys("# by hand\n", u"f.toml"_s, wanted);
    QVERIFY2(edit, qPrintable(why(edit)));
    QCOMPARE(edit->lines, QByteArray("[[token]]\nkey = \"invite:*\"\nlayout = \"string-token\""));
    QVERIFY(edit->text.startsWith("# by hand\n"));
    const auto config = parseConfig(edit->text, u"f.toml"_s);
    QVERIFY(config && config->declarations.size() == 1);
    QCOMPARE(config->declarations.front()->kind, Kind::Token);
    // A key cannot be declared twice, nor by a layout of another kind.
    QVERIFY(!declareKeys(edit->text, u"f.toml"_s, wanted));
    wanted.pattern = "other:*";
    wanted.layout = "set-nx-px";
    QVERIFY(!declareKeys(edit->text, u"f.toml"_s, wanted));
}

void TestConfigEdit::changesTheLineOfItsBlock()
{
    const auto edit = declareLimiter(written, u"f.toml"_s, limiter("api:*", 12, 1500));
    QVERIFY2(edit, qPrintable(why(edit)));
    QByteArray expected = written;
    expected.replace("limit = 5 ", "limit = 12 ");
    expected.replace("asked for by Bob\n", "asked for by Bob\nwindow = \"1500ms\"\n");
    QCOMPARE(edit->text, expected);
    QCOMPARE(edit->firstLine, 6);
    QCOMPARE(edit->lastLine, 7);
    // Again: now both are there.
    const auto again = declareLimiter(edit->text, u"f.toml"_s, limiter("api:*", 7, 60'000));
    QVERIFY2(again, qPrintable(why(again)));
    QCOMPARE(again->text, QByteArray(expected).replace("= 12 ", "= 7 ").replace("1500ms", "1m"));
    const auto config = parseConfig(again->text, u"f.toml"_s);
    QCOMPARE(config->declarations[0]->limit, 7);
    QCOMPARE(config->declarations[0]->windowMs, 60'000);
    QCOMPARE(config->check.silence, QByteArrayList{"lock-expired"});
}

void TestConfigEdit::leavesAloneWhatItCannotChange_data()
{
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("said");
    QTest::newRow("a mistake in it") << written + "[[limitter]]\nkey=\"x\"\n"
                                     << QByteArray("f.toml:13:");
    QTest::newRow("not TOML") << QByteArray("[[limiter]\n") << QByteArray("f.toml:1:");
    QTest::newRow("in one line")
        << QByteArray("limiter = [{key = \"api:*\", layout = \"rolling-window\", limit = 5}]\n")
        << QByteArray("by hand");
    QTest::newRow("declared as something else")
        << QByteArray("[[lock]]\nkey = \"api:*\"\nlayout = \"set-nx-px\"\n")
        << QByteArray("f.toml:1:");
}

void TestConfigEdit::leavesAloneWhatItCannotChange()
{
    QFETCH(QByteArray, before);
    QFETCH(QByteArray, said);
    const auto edit = declareLimiter(before, u"f.toml"_s, limiter("api:*", 12, 1000));
    QVERIFY(!edit);
    QCOMPARE(edit.error().code, ErrorCode::BadConfig);
    QVERIFY2(edit.error().detail.contains(QString::fromLatin1(said)), qPrintable(why(edit)));
}

void TestConfigEdit::namesThatNeedQuotes()
{
    for (const QByteArray& name :
         {QByteArray("a\"b\\c"), QByteArray("tab\there"), QByteArray("ключ:1"),
          QByteArray("s*r[1]?"), QByteArray("\xff\xfe:1"), QByteArray("nul\0l", 5),
          QByteArray("\xe2\x80\xaegnp:\xe2\x80\xa8")}) {
        const QString pattern = QString::fromUtf8(patternOf(name));
        QCOMPARE(foreignText(pattern), pattern); // it is shown, too
        const auto edit = ignoreKeys(written, u"f.toml"_s, patternOf(name));
        QVERIFY2(edit, qPrintable(why(edit)));
        const auto config = parseConfig(edit->text, u"f.toml"_s);
        QCOMPARE(config->ignored.size(), 1);
        QVERIFY2(globMatches(config->ignored[0], name), name.constData());
        QVERIFY(!globMatches(config->ignored[0], name + "x"));
    }
}

// Neither by itself nor by what belongs to it, and not against a declaration either.
void TestConfigEdit::whatIsIgnoredIsNeverClaimed()
{
    FakeKeys keys;
    keys.list("jobs", {"a"});
    keys.list("jobs:processing", {"b"});
    keys.string("lock:a", "0c7a3ad4-0f3c-4f1e-8c1c-2b1d5f3a9d10", 60'000);
    const QByteArray declared = "[[queue]]\nkey = \"jobs\"\nlayout = \"reliable-list\"\n"
                                "processing = \"jobs:processing\"\n";
    const auto before = parseConfig(declared, {});
    QVERIFY(keys.classify("jobs", Classifier(*before)));
    QVERIFY(keys.classify("jobs:processing", Classifier(*before)));
    QVERIFY(keys.classify("lock:a", Classifier(*before)));
    const auto edit = ignoreKeys(declared, u"f.toml"_s, "jobs");
    QVERIFY2(edit, qPrintable(why(edit)));
    const Classifier classifier(*parseConfig(edit->text, {}));
    QVERIFY(!keys.classify("jobs", classifier));
    QVERIFY(!keys.classify("jobs:processing", classifier));
    QVERIFY(classifier.declaredByName().empty());
    QVERIFY(keys.classify("lock:a", classifier));
}

void TestConfigEdit::silencesByName()
{
    const auto edit = silenceFinding(written, u"f.toml"_s, "lock-without-ttl", "lock:old:*");
    QVERIFY2(edit, qPrintable(why(edit)));
    QCOMPARE(edit->lines, "[[silence]]\ncode = \"lock-without-ttl\"\nmatch = \"lock:old:*\"");
    const auto config = parseConfig(edit->text, u"f.toml"_s);
    const auto silenced = [&](const char* code, const char* name) {
        Finding finding;
        finding.code = code;
        finding.name = name;
        return config->check.isSilenced(finding);
    };
    QVERIFY(silenced("lock-without-ttl", "lock:old:1"));
    QVERIFY(!silenced("lock-without-ttl", "lock:new:1"));
    QVERIFY(!silenced("lock-abandoned", "lock:old:1"));
    QVERIFY(silenced("lock-expired", "any")); // by [check], as before
    const auto all = silenceFinding(edit->text, u"f.toml"_s, "lock-abandoned", {});
    QVERIFY2(all, qPrintable(why(all)));
    QCOMPARE(parseConfig(all->text, {})->check.rules.size(), 2U);
    QVERIFY(!silenceFinding(written, u"f.toml"_s, "no-such-code", {}));
}

void TestConfigEdit::mistakesAreToldWithTheirLine_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("said");
    QTest::newRow("ignore without a key") << QByteArray("\n[[ignore]]\n") << QByteArray("f:2:");
    QTest::newRow("ignore, another word")
        << QByteArray("[[ignore]]\nkye = \"a\"\n") << QByteArray("f:2: unknown key \"kye\"");
    QTest::newRow("ignore, a number") << QByteArray("[[ignore]]\nkey = 5\n") << QByteArray("f:2:");
    QTest::newRow("one table") << QByteArray("[ignore]\nkey = \"a\"\n") << QByteArray("[[ignore]]");
    QTest::newRow("silence, unknown code") << QByteArray("[[silence]]\ncode = \"lock-expird\"\n")
                                           << QByteArray("did you mean \"lock-expired\"");
    QTest::newRow("silence without a code")
        << QByteArray("[[silence]]\nmatch = \"a\"\n") << QByteArray("\"code\" is missing");
    QTest::newRow("ignored") << QByteArray("[[ignored]]\nkey = \"a\"\n")
                             << QByteArray("did you mean \"ignore\"");
}

void TestConfigEdit::mistakesAreToldWithTheirLine()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, said);
    const auto config = parseConfig(text, u"f"_s);
    QVERIFY(!config);
    QVERIFY2(config.error().detail.contains(QString::fromLatin1(said)),
             qPrintable(config.error().detail));
}

void TestConfigEdit::writesAFileWholeOrNotAtAll()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(u"new/lockkeeper.toml"_s);
    const auto ignore = [&](const QByteArray& toml) { return ignoreKeys(toml, path, "a"); };
    const auto made = editConfigFile(path, ignore);
    QVERIFY2(made, qPrintable(why(made)));
    const auto contents = [&] {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    QCOMPARE(contents(), "[[ignore]]\nkey = \"a\"\n");
    // A link stays one.
    const QString link = folder.filePath(u"link.toml"_s);
    QVERIFY(QFile::link(path, link));
    QVERIFY(
        editConfigFile(link, [&](const QByteArray& toml) { return ignoreKeys(toml, link, "b"); }));
    QVERIFY(QFileInfo(link).isSymLink());
    QCOMPARE(contents(), "[[ignore]]\nkey = \"a\"\n\n[[ignore]]\nkey = \"b\"\n");
    const QByteArray before = contents();
    const auto refused = editConfigFile(
        path, [&](const QByteArray&) { return ignoreKeys("[[nonsense", path, "a"); });
    QVERIFY(!refused);
    QCOMPARE(contents(), before);
    const auto nowhere = editConfigFile(u"/proc/nowhere/x.toml"_s, ignore);
    QVERIFY(!nowhere);
    QCOMPARE(nowhere.error().code, ErrorCode::FileError);
}

LK_TEST(TestConfigEdit);
#include "tst_configedit.moc"
