// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/error.h"
#include "backend/core/json/jsontext.h"
#include "backend/core/names/foreigntext.h"
#include "backend/redis/server/serverinfo.h"
#include "backend/text/errortext.h"

#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QTest>

using namespace lk;

/// What others wrote never reaches a person as it is, and there is no way around that.
class TestForeignText : public QObject
{
    Q_OBJECT

private slots:
    void plainTextStays_data();
    void plainTextStays();
    void oddCharactersAreEscaped();
    void isTheSameTwice();
    void marksDoNotPileUp();
    void jsonHasNone();
    void serversTellNone();
    void bytesBecomeTextInFewPlaces_data();
    void bytesBecomeTextInFewPlaces();
    void latin1IsForOurOwnWords();
    void namesAreNotShownByThemselves();
};

namespace {

// All that does something else than to be seen.
const char32_t odd[] = {0x00,   0x07,   0x08,   0x1b,   0x7f,    0x80,    0x85,     0x9b,   0x9d,
                        0xa0,   0xad,   0x061c, 0x180e, 0x200b,  0x200d,  0x200e,   0x200f, 0x2028,
                        0x2029, 0x202a, 0x202e, 0x2060, 0x2066,  0x2069,  0x206f,   0xe000, 0xfe0f,
                        0xfeff, 0xfff9, 0xfffc, 0xffff, 0xe0041, 0xf0000, 0x10ffff, 0x378};

// QString::fromUcs4() would take U+FEFF for a mark of the byte order, and leave it out.
QString textOf(char32_t c)
{
    if (QChar::requiresSurrogates(c))
        return QString(QChar(QChar::highSurrogate(c))) + QChar(QChar::lowSurrogate(c));
    return QString(QChar(char16_t(c)));
}

QString allOdd()
{
    QString text;
    for (const char32_t c : odd)
        text += QStringLiteral("a") + textOf(c);
    return text;
}

bool isPlain(const QString& text)
{
    const auto all = text.toUcs4();
    return std::all_of(all.begin(), all.end(), [](uint c) { return isPlainCharacter(c); });
}

const QString root = QStringLiteral(LOCKKEEPER_SOURCES);

// "file:line" to what stands in the brackets of each such call outside of comments.
std::vector<std::pair<QString, QString>> callsOf(const QRegularExpression& call)
{
    std::vector<std::pair<QString, QString>> found;
    for (const char* folder : {"app", "backend", "widgets"}) {
        QDirIterator files(root + QLatin1Char('/') + QLatin1String(folder),
                           {QStringLiteral("*.cpp"), QStringLiteral("*.h")}, QDir::Files,
                           QDirIterator::Subdirectories);
        while (files.hasNext()) {
            QFile file(files.next());
            if (!file.open(QIODevice::ReadOnly))
                qFatal("cannot be read");
            const QString text = QString::fromUtf8(file.readAll())
                                     .remove(QRegularExpression(QStringLiteral("//[^\n]*")));
            for (auto it = call.globalMatch(text); it.hasNext();) {
                const auto match = it.next();
                qsizetype end = match.capturedEnd();
                for (int depth = 1; end < text.size() && depth > 0; ++end)
                    depth += text[end] == QLatin1Char('(')   ? 1
                             : text[end] == QLatin1Char(')') ? -1
                                                             : 0;
                found.emplace_back(
                    QDir(root).relativeFilePath(file.fileName()),
                    text.mid(match.capturedEnd(), end - 1 - match.capturedEnd()).simplified());
            }
        }
    }
    return found;
}

} // namespace

void TestForeignText::plainTextStays_data()
{
    QTest::addColumn<QString>("text");
    QTest::newRow("empty") << QString();
    QTest::newRow("ASCII") << QStringLiteral("lock:a \"b\" \\x00 ~!");
    QTest::newRow("scripts") << QString::fromUtf8("Schlüssel 閘 ключ מפתח مفتاح 🚢 a\u0301");
    QTest::newRow("Thai") << QString::fromUtf8("กุญแจที่");
    QTest::newRow("punctuation") << QString::fromUtf8("… – • „“ → ≥ €");
}

void TestForeignText::plainTextStays()
{
    QFETCH(QString, text);
    QCOMPARE(foreignText(text), text);
}

void TestForeignText::oddCharactersAreEscaped()
{
    for (const char32_t c : odd) {
        const QString shown = foreignText(QStringLiteral("a") + textOf(c) + QStringLiteral("b"));
        QVERIFY2(isPlain(shown), QByteArray::number(uint(c), 16).constData());
        QVERIFY2(shown.startsWith(QStringLiteral("a\\x")) && shown.endsWith(QLatin1Char('b')),
                 QByteArray::number(uint(c), 16).constData());
    }
    QCOMPARE(foreignText(QStringLiteral("\x1b[31m")), QStringLiteral("\\x1b[31m"));
    QCOMPARE(foreignText(QString(QChar(0x202e))), QStringLiteral("\\xe2\\x80\\xae"));
    QVERIFY(isPlain(foreignText(QString(QChar(0xd800))))); // half a pair
}

void TestForeignText::isTheSameTwice()
{
    const QString once = foreignText(allOdd());
    QVERIFY(isPlain(once));
    QCOMPARE(foreignText(once), once);
}

void TestForeignText::marksDoNotPileUp()
{
    const QString tower = QStringLiteral("e") + QString(50, QChar(0x0301));
    int inARow = 0;
    int most = 0;
    for (const uint c : foreignText(tower).toUcs4()) {
        inARow = isStackedMark(c) ? inARow + 1 : 0;
        most = std::max(most, inARow);
    }
    QCOMPARE(most, mostStackedMarks);
}

void TestForeignText::jsonHasNone()
{
    JsonObject o;
    o.add(allOdd().toUtf8(), allOdd());
    QVERIFY2(isPlain(QString::fromUtf8(o.text())), o.text().constData());
    QVERIFY(isPlain(QString::fromUtf8(jsonString(allOdd()))));
}

void TestForeignText::serversTellNone()
{
    Reply info;
    info.type = Reply::Type::Bulk;
    info.text = "redis_version:" + allOdd().remove(QLatin1Char('\n')).toUtf8() +
                "\r\nredis_mode:\x1b]0;pwned\x07\r\nrole:master\xe2\x80\xae\r\nlong:" +
                QByteArray(100'000, 'x') + "\r\n";
    const ServerInfo told = ServerInfo::fromReply(info);
    for (const char* field : {"redis_version", "redis_mode", "role", "long"}) {
        QVERIFY2(!told.text(field).isEmpty(), field);
        QVERIFY2(isPlain(told.text(field)), field);
        QVERIFY2(told.text(field).size() < 1000, field);
    }
    QVERIFY(isPlain(errorText(errorFromReply("ERR \x1b[2J" + allOdd().toUtf8()))));
}

// Where bytes become text: each place is one that was thought about. What comes from a server or a
// file goes through displayName() or foreignText().
void TestForeignText::bytesBecomeTextInFewPlaces_data()
{
    QTest::addColumn<QString>("call");
    QTest::addColumn<QStringList>("files");
    const auto row = [](const char* call, std::initializer_list<const char*> files) {
        QStringList all;
        for (const char* file : files)
            all << QLatin1String(file);
        QTest::newRow(call) << QString::fromLatin1(call) << all;
    };
    row("QString::fromUtf8",
        {"backend/core/names/keyname.cpp",            // displayName() itself
         "backend/core/json/jsontext.cpp",            // escapes what it reads
         "backend/actions/action.cpp",                // durations, from who acts
         "backend/config/config.cpp",                 // foreignText()
         "backend/config/checkconfig.cpp",            // compared with known words
         "backend/config/configedit.cpp",             // lines of a file that are written again
         "backend/config/configlines.h",              // the same
         "widgets/declare/configdialog.cpp",          // what a person is about to write there
         "widgets/alerts/ruledialog.cpp",             // the same
         "widgets/alerts/quietdialog.cpp",            // the same
         "backend/config/configwords.cpp",            // foreignText(); compared with known words
         "backend/servers/serverimport.cpp",          // an address, read by parseServerUrl()
         "backend/text/proposal.cpp",                 // the same
         "backend/config/tomlfields.cpp",             // the same
         "backend/config/alertconfig.cpp",            // the same
         "backend/alerts/rules/condition.cpp",        // the same
         "backend/alerts/store/alertstore.cpp",       // names of targets, for the file
         "backend/alerts/store/outbox.cpp",           // the same
         "backend/alerts/delivery/notifycommand.cpp", // foreignText(); names of variables
         "backend/session/sessionalerts.cpp",         // names of deployments, for the file
         "backend/layouts/files/layouttable.cpp",     // the same
         "backend/layouts/families/layoutfilereader.cpp", // the same
         "backend/layouts/files/namepattern.cpp", // what the reader says through foreignText()
         "backend/layouts/queues/sidekiq/sidekiqstate.cpp", // compared with names in JSON
         "app/cli/jobs/jobsjson.cpp",                       // JSON, escaped where it is written
         "backend/history/store/recordstore.cpp",       // this program's own name for its claims
         "backend/history/store/codec/statecodec.cpp",  // foreignText()
         "backend/history/store/codec/serverfacts.cpp", // the same
         "widgets/detail/jobs/dialog/jobdialog.cpp",  // a copy of what is stored, for the clipboard
         "app/process/hiddenarguments.cpp",           // what a person types
         "app/process/programstart.cpp",              // the same
         "app/cli/act/confirm.cpp",                   // the same
         "app/cli/act/actsessionreceipt.cpp",         // a code that was made here
         "app/cli/act/acttext.cpp",                   // the same, as JSON
         "widgets/actions/parameterform.cpp",         // our own choices
         "backend/demo/libraries/sidekiqprocess.cpp", // jobs that the demo made
         "backend/actions/catalog/queues/pythonpushes.cpp", // JSON of a job that is written
         "backend/actions/catalog/queues/plainpushes.cpp",  // the same
         "backend/session/board/boardgroups.cpp",           // was made of a cell's text
         "backend/session/board/rowset.cpp",                // a layout's id, never shown
         "widgets/detail/payloaddialog.cpp",   // a copy of what is stored, for the clipboard
         "widgets/journal/journalmodel.cpp"}); // JSON of entries, escaped when they were read
    row("QString::fromLocal8Bit",
        {"app/process/programstart.cpp", "app/process/hiddenarguments.cpp", // who starts it
         "app/process/processenvironment.cpp",
         "backend/actions/journal/journal.cpp", // and is called so
         "app/cli/consolestart.cpp"});          // what the system says
    row("QString::fromStdString",               // durations; compared with known words
        {"backend/config/config.cpp", "backend/config/checkconfig.cpp",
         "backend/config/tomlfields.cpp",
         "backend/config/redlockconfig.cpp", // the addresses of servers
         "backend/servers/teamfile.cpp"});   // the same, and what foreignText() makes of the rest
    row("QString::fromUtf16", {});
    row("QString::fromWCharArray", {});
    row("QStringDecoder", {"backend/redis/urltext.cpp"}); // the address that a person gives
    row("QTextStream", {});
    row("QUtf8StringView", {});
}

void TestForeignText::bytesBecomeTextInFewPlaces()
{
    QFETCH(QString, call);
    QFETCH(QStringList, files);
    const QRegularExpression pattern(QRegularExpression::escape(call) +
                                     QStringLiteral("\\s+\\w*\\(|") +
                                     QRegularExpression::escape(call) + QStringLiteral("\\("));
    QStringList unknown;
    for (const auto& [file, argument] : callsOf(pattern)) {
        if (!files.contains(file))
            unknown << file + QStringLiteral(": ") + argument;
    }
    QVERIFY2(unknown.isEmpty(), qPrintable(unknown.join(QLatin1Char('\n'))));
}

// Ids, names of parameters and the like, which stand in our own sources.
void TestForeignText::latin1IsForOurOwnWords()
{
    static const QRegularExpression ours(QStringLiteral(
        "^(.*\\b(id|code|codes|action|verb|kind|layout|receipt|m_id|group|undoes|permission|option|"
        "fingerprint|m_receipt|script|choices)(\\(\\))?"
        "|.*\\b(p|parameter|field|t|threshold|known|column|metric)(\\.|->)(name|code|id|onlyLayout|"
        "preset)"
        "|(kindId|kindIdOf|severityId|outcomeId|stateId|keyTypeName|sourceId|algorithmId|aclRule|"
        "useId|jobRoleId|hex)"
        "\\(.*\\)|rulesOf\\(.*\\)\\.join\\(.*\\)"
        "|.*\\.choices\\.(value\\(0\\)|join\\(.*\\))|codes\\.join\\(.*\\)"
        "|.*\\.?toHex\\(\\)|.*\\.toHex\\(\\)\\.left\\(\\d+\\)|.*\\.toBase64\\(\\)"
        "|QCryptographicHash::hash\\(.*\\)\\.toHex\\(\\)|QUrl::toPercentEncoding\\(.*\\)|.*\\."
        "toPercentEncoding\\(.*\\)"
        "|(origin|file|m_family|family)(\\.|->)(family|id)|(role|setting|word)\\.name"
        "|ownerLibraries\\(.*\\)|info\\.mac|text\\.left\\(19\\)|value\\.sliced\\(.*\\)|number\\)?"
        "|p\\.name|digest|text\\.left\\(64\\)|name|count|limit|bytes|word|key|line|\\*?text|"
        "shared\\.packing->\\w+)$"));
    // Where such a short word could be anything, it is one of these.
    static const QMultiHash<QString, QString> known{
        {QStringLiteral("name"), QStringLiteral("app/cli/act/actcommand.cpp")},
        {QStringLiteral("name"), QStringLiteral("app/cli/act/actinvocation.cpp")},
        {QStringLiteral("name"), QStringLiteral("backend/actions/journal/undoshelf.cpp")},
        {QStringLiteral("name"), QStringLiteral("backend/actions/execution/actionscript.cpp")},
        {QStringLiteral("name"), QStringLiteral("backend/layouts/families/layoutfilereader.cpp")},
        {QStringLiteral("word"), QStringLiteral("backend/layouts/families/layoutfilereader.cpp")},
        {QStringLiteral("line"), QStringLiteral("app/cli/aclcommand.cpp")}, // rules of our own
        {QStringLiteral("key"), QStringLiteral("backend/layouts/files/layouttable.cpp")},
        {QStringLiteral("digest"), QStringLiteral("widgets/boards/rowgroups.cpp")},
        {QStringLiteral("text.left(64)"), // read as a time
         QStringLiteral("backend/layouts/queues/resque/resquejobs.cpp")},
        // Read as a time or a number, never shown.
        {QStringLiteral("text"), QStringLiteral("backend/layouts/limiters/symfonyratelimiter.cpp")},
        {QStringLiteral("text"),
         QStringLiteral("backend/layouts/families/limiters/limiterfile.cpp")},
        {QStringLiteral("text"),
         QStringLiteral("backend/layouts/families/limiters/fixedwindowfamily.cpp")},
        {QStringLiteral("*text"), QStringLiteral("backend/layouts/tokens/authjstoken.cpp")},
        {QStringLiteral("count"), QStringLiteral("backend/actions/catalog/redissonactions.cpp")},
        {QStringLiteral("count"), QStringLiteral("backend/actions/catalog/limiteractions.cpp")},
        {QStringLiteral("limit"), QStringLiteral("backend/actions/catalog/redissonactions.cpp")},
        {QStringLiteral("bytes"), QStringLiteral("backend/core/names/keyname.cpp")}};
    QStringList unknown;
    const auto calls = callsOf(QRegularExpression(QStringLiteral("QString::fromLatin1\\(")));
    QVERIFY(calls.size() > 50);
    for (const auto& [file, argument] : calls) {
        const bool vague = known.contains(argument);
        if (!ours.match(argument).hasMatch() || (vague && !known.contains(argument, file)))
            unknown << file + QStringLiteral(": ") + argument;
    }
    QVERIFY2(unknown.isEmpty(), qPrintable(unknown.join(QLatin1Char('\n'))));
}

// What a primitive is called is told by shownName() and shownKey(): a token's name holds its code.
void TestForeignText::namesAreNotShownByThemselves()
{
    static const QRegularExpression name(
        QStringLiteral("\\bid\\.name\\b|[Ff]inding(\\.|->)(name|key)|\\b(key|k|keys\\[\\w+\\]|"
                       "front\\(\\))(\\.|->)key\\b"));
    QStringList found;
    const auto calls =
        callsOf(QRegularExpression(QStringLiteral("\\b(display(Name|Preview)|exactName)\\(")));
    QVERIFY(calls.size() > 20);
    for (const auto& [file, argument] : calls) {
        if (name.match(argument).hasMatch() && !argument.contains(QLatin1String("queue")))
            found << file + QStringLiteral(": ") + argument;
    }
    QCOMPARE(found, QStringList());
}

QTEST_GUILESS_MAIN(TestForeignText)
#include "tst_foreigntext.moc"
