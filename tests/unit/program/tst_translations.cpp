// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace {

struct Message
{
    QString context;
    QString source;
    QStringList translations; // several: plural forms
    bool finished = true;
    bool plural = false;
};

std::vector<Message> messagesOf(const QString& path)
{
    QFile file(path);
    std::vector<Message> all;
    QString context;
    if (!file.open(QIODevice::ReadOnly))
        return all;
    QXmlStreamReader xml(&file);
    while (!xml.atEnd()) {
        xml.readNext();
        if (!xml.isStartElement())
            continue;
        if (xml.name() == u"name") {
            context = xml.readElementText();
        } else if (xml.name() == u"message") {
            all.emplace_back();
            all.back().context = context;
            all.back().plural = xml.attributes().value(u"numerus"_s) == u"yes";
        } else if (all.empty()) {
            continue;
        } else if (xml.name() == u"source") {
            all.back().source = xml.readElementText();
        } else if (xml.name() == u"translation") {
            all.back().finished = !xml.attributes().hasAttribute(u"type"_s);
            if (!all.back().plural)
                all.back().translations << xml.readElementText();
        } else if (xml.name() == u"numerusform") {
            all.back().translations << xml.readElementText();
        }
    }
    return all;
}

// %1, %L2, %n, in order of their names.
QStringList placesIn(const QString& text)
{
    static const QRegularExpression place(u"%L?(\\d|n)"_s);
    QStringList places;
    auto matches = place.globalMatch(text);
    while (matches.hasNext())
        places << matches.next().captured(1);
    places.removeDuplicates();
    places.sort();
    return places;
}

} // namespace

/// Every text of the sources is translated, and a translation has the places that its source has.
class TestTranslations : public QObject
{
    Q_OBJECT

private slots:
    void complete_data()
    {
        QTest::addColumn<QString>("language");
        QTest::newRow("German") << u"de"_s;
    }
    void complete()
    {
        QFETCH(QString, language);
        const QTemporaryDir folder;
        const QString copy = folder.filePath(u"lockkeeper_%1.ts"_s.arg(language));
        QVERIFY(
            QFile::copy(QStringLiteral(LOCKKEEPER_SOURCES "resources/translations/lockkeeper_%1.ts")
                            .arg(language),
                        copy));
        QVERIFY(QFile::setPermissions(copy, QFile::ReadOwner | QFile::WriteOwner));
        QProcess lupdate;
        lupdate.setWorkingDirectory(QStringLiteral(LOCKKEEPER_SOURCES));
        lupdate.start(QStringLiteral(LOCKKEEPER_LUPDATE),
                      {u"-silent"_s, u"-I"_s, u"."_s, u"-locations"_s, u"none"_s, u"-no-obsolete"_s,
                       u"-source-language"_s, u"en"_s, u"-target-language"_s, language, u"app"_s,
                       u"backend"_s, u"widgets"_s, u"-ts"_s, copy});
        QVERIFY(lupdate.waitForFinished(120'000));
        QCOMPARE(lupdate.exitCode(), 0);
        const std::vector<Message> messages = messagesOf(copy);
        QVERIFY(messages.size() > 1000);
        QStringList wrong;
        for (const Message& message : messages) {
            const bool empty = message.translations.isEmpty() ||
                               std::any_of(message.translations.begin(), message.translations.end(),
                                           [](const QString& t) { return t.isEmpty(); });
            if (!message.finished || empty)
                wrong << u"untranslated: "_s + message.source;
            else if (placesIn(message.translations.last()) != placesIn(message.source))
                wrong << u"other places: "_s + message.source;
            else if (message.source.count(u'&') != message.translations.last().count(u'&'))
                wrong << u"other mnemonics: "_s + message.source;
            // What the program asks for has its namespace: where lupdate has lost that, nobody ever
            // finds the translation.
            if (!message.context.startsWith(u"lk::"_s) && message.context != u"main")
                wrong << u"context %1: "_s.arg(message.context) + message.source;
        }
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.mid(0, 30).join(u'\n')));
    }
};

QTEST_GUILESS_MAIN(TestTranslations)
#include "tst_translations.moc"
