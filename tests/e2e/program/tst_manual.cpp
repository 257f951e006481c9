// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/e2e/program.h"
#include "tests/support/testprogram.h"

#include <QRegularExpression>
#include <QSet>
#include <QStandardPaths>

using namespace lk;
using namespace Qt::StringLiterals;
using test::Program;

namespace {

const QString resources = QStringLiteral(LOCKKEEPER_RESOURCES);
const QString completions = QStringLiteral(LOCKKEEPER_BUILD "/completions/lockkeeper.");

QString textOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

QString helpOf(const QString& program, const QStringList& words)
{
    Program run(program);
    return run.run(words + QStringList{u"--help"_s}) ? QString::fromUtf8(run.out()) : QString();
}

// "lock release" and so on, as act --help lists them.
QStringList actions()
{
    static const QRegularExpression line(u"^  act URL ([a-z]+(?: [a-z-]+)?)"_s,
                                         QRegularExpression::MultilineOption);
    QStringList all;
    auto matches = line.globalMatch(helpOf(QStringLiteral(LOCKKEEPER_PROGRAM), {u"act"_s}));
    while (matches.hasNext())
        all << matches.next().captured(1);
    return all;
}

// Without their dashes.
QSet<QString> optionsOf(const QString& help)
{
    static const QRegularExpression option(u"^  --([a-z-]+)"_s,
                                           QRegularExpression::MultilineOption);
    QSet<QString> all;
    auto matches = option.globalMatch(help);
    while (matches.hasNext())
        all << matches.next().captured(1);
    return all;
}

} // namespace

// The manual pages and the completions agree with --help.
class TestManual : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        const QString program = QStringLiteral(LOCKKEEPER_PROGRAM);
        const QString console = QStringLiteral(LOCKKEEPER_CONSOLE_PROGRAM);
        for (const QString& command : {u"snapshot"_s, u"check"_s, u"jobs"_s, u"act"_s, u"layouts"_s,
                                       u"acl"_s, u"record"_s, u"history"_s, u"redlock"_s})
            m_options += optionsOf(helpOf(program, {command}));
        m_options += optionsOf(helpOf(program, {}));
        m_actions = actions();
        QVERIFY(m_actions.size() > 25);
        for (const QString& action : m_actions)
            m_options += optionsOf(helpOf(program, QStringList{u"act"_s} + action.split(u' ')));
        m_consoleOptions =
            optionsOf(helpOf(console, {})) + optionsOf(helpOf(console, {u"screenshots"_s}));
        QVERIFY(m_options.size() > 35);
        QVERIFY(m_consoleOptions.size() > 5);
    }

    void manualPagesHaveEveryOption()
    {
        const QString page = textOf(resources + u"manual/lockkeeper.1"_s).remove(u'\\');
        for (const QString& option : std::as_const(m_options))
            QVERIFY2(hasWord(page, u"--"_s + option), qPrintable(option));
        for (const QString& command : m_commands)
            QVERIFY2(hasWord(page, command), qPrintable(command));
        for (const QString& action : std::as_const(m_actions))
            QVERIFY2(page.contains(u"\""_s + action + u"\""_s), qPrintable(action));
        const QString console = textOf(resources + u"manual/lockkeeper-console.1"_s).remove(u'\\');
        for (const QString& option : std::as_const(m_consoleOptions))
            QVERIFY2(hasWord(console, u"--"_s + option), qPrintable(option));
        QVERIFY(console.contains(u"screenshots"_s));
    }

    void manualPagesAreWellFormed_data()
    {
        QTest::addColumn<QString>("page");
        for (const char* page :
             {"lockkeeper.1", "lockkeeper-console.1", "lockkeeper.toml.5", "lockkeeper-layouts.5"})
            QTest::newRow(page) << QString::fromLatin1(page);
    }
    void manualPagesAreWellFormed()
    {
        QFETCH(QString, page);
        QVERIFY(
            textOf(resources + u"manual/"_s + page).contains(u"@PROJECT_VERSION@"_s)); // for CMake
        if (QStandardPaths::findExecutable(u"man"_s).isEmpty())
            QSKIP("man is not installed");
        QProcess man;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(u"MANROFFSEQ"_s, QString());
        man.setProcessEnvironment(environment);
        man.start(u"man"_s, {u"--warnings"_s, u"-E"_s, u"UTF-8"_s, u"-Tutf8"_s, u"-l"_s,
                             resources + u"manual/"_s + page});
        QVERIFY(man.waitForFinished());
        QCOMPARE(man.exitCode(), 0);
        QCOMPARE(man.readAllStandardError(), QByteArray());
        QVERIFY(man.readAllStandardOutput().contains("LOCKKEEPER"));
    }

    void completionsHaveEveryOption_data()
    {
        QTest::addColumn<QString>("shell");
        for (const QString& shell : {u"bash"_s, u"zsh"_s, u"fish"_s})
            QTest::newRow(qPrintable(shell)) << shell;
    }
    void completionsHaveEveryOption()
    {
        QFETCH(QString, shell);
        const QString text = textOf(completions + shell);
        QProcess check;
        if (!QStandardPaths::findExecutable(shell).isEmpty()) {
            check.start(shell, {u"-n"_s, completions + shell}); // whether it can be read
            QVERIFY(check.waitForFinished());
            QCOMPARE(check.readAllStandardError(), QByteArray());
        }
        const QSet<QString> options = m_options + m_consoleOptions;
        for (const QString& option : options)
            QVERIFY2(hasWord(text, u"--"_s + option), qPrintable(option));
        for (const QString& command : m_commands)
            QVERIFY2(hasWord(text, command), qPrintable(command));
        for (const QString& action : std::as_const(m_actions)) {
            for (const QString& word : action.split(u' '))
                QVERIFY2(hasWord(text, word), qPrintable(action));
        }
    }

    // The completions at the end of a line are exactly those that its help lists.
    void bashProposes_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QStringList>("proposed");
        const auto row = [](const char* line, const QString& proposed) {
            QTest::newRow(line) << QString::fromLatin1(line) << proposed.split(u' ');
        };
        row("lockkeeper ",
            u"acl act check help history jobs layouts record redlock screenshots snapshot"_s);
        row("lockkeeper-console ", u"screenshots"_s);
        row("lockkeeper sn", u"snapshot"_s);
        row("lockkeeper check h --fail-on ", u"error info warning"_s);
        row("lockkeeper --config f check h --format ", u"json prometheus text"_s);
        row("lockkeeper snapshot h --format ", u"json text"_s);
        row("lockkeeper jobs h q --state ", u"dead delayed done paused processing ready"_s);
        row("lockkeeper act h ", u"journal key limiter lock queue token undo"_s);
        row("lockkeeper act h --reason why lock ", u"clear release takeover ttl"_s);
        row("lockkeeper act h queue push jobs --to ", u"back next"_s);
        row("lockkeeper-console --theme ", u"dark light system"_s);
        for (const QString& action : std::as_const(m_actions)) {
            if (action.contains(u' '))
                QTest::newRow(qPrintable(action))
                    << u"lockkeeper act h "_s + action + u" n --"_s
                    << helped(QStringList{u"act"_s} + action.split(u' '));
        }
        for (const QString& command :
             {u"snapshot"_s, u"check"_s, u"jobs"_s, u"acl"_s, u"redlock"_s})
            QTest::newRow(qPrintable(command))
                << u"lockkeeper "_s + command + u" h --"_s << helped({command});
        QTest::newRow("layouts") << u"lockkeeper layouts --"_s << helped({u"layouts"_s});
        QTest::newRow("screenshots")
            << u"lockkeeper screenshots h d --"_s << helped({u"screenshots"_s});
    }
    void bashProposes()
    {
        QFETCH(QString, line);
        QFETCH(QStringList, proposed);
        QProcess bash;
        bash.start(u"bash"_s,
                   {u"-c"_s,
                    u"source \"$1\"; IFS=' ' read -ra COMP_WORDS <<<\"$2\"\n"
                    "[[ $2 == *' ' ]] && COMP_WORDS+=('')\n"
                    "COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _lockkeeper \"${COMP_WORDS[0]}\"\n"
                    "printf '%s\\n' \"${COMPREPLY[@]}\""_s,
                    u"bash"_s, completions + u"bash"_s, line});
        QVERIFY(bash.waitForFinished());
        QCOMPARE(bash.readAllStandardError(), QByteArray());
        QStringList words =
            QString::fromUtf8(bash.readAllStandardOutput()).split(u'\n', Qt::SkipEmptyParts);
        words.sort();
        proposed.removeDuplicates();
        proposed.sort();
        QCOMPARE(words, proposed);
    }

private:
    static bool hasWord(const QString& text, const QString& word)
    {
        const QRegularExpression whole(u"(?<![a-z-])"_s + QRegularExpression::escape(word) +
                                       u"(?![a-z-])"_s);
        return whole.match(text).hasMatch();
    }
    static QStringList helped(const QStringList& command)
    {
        QStringList all;
        const auto options = optionsOf(helpOf(QStringLiteral(LOCKKEEPER_PROGRAM), command));
        for (const QString& option : options)
            all << u"--"_s + option;
        return all;
    }

    const QStringList m_commands{u"snapshot"_s,    u"check"_s,   u"jobs"_s,
                                 u"act"_s,         u"layouts"_s, u"acl"_s,
                                 u"screenshots"_s, u"help"_s,    u"redlock"_s};
    QStringList m_actions;
    QSet<QString> m_options;
    QSet<QString> m_consoleOptions;
};

LK_TEST(TestManual);
#include "tst_manual.moc"
