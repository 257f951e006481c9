// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/layouts/layout.h"

#include <QDirIterator>
#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

using namespace Qt::StringLiterals;

namespace {

const QString root = QStringLiteral(LOCKKEEPER_SOURCES);

QString textOf(const QString& path)
{
    QFile file(root + path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

// "backend/actions/catalog/catalog.h" -> "backend/actions"
QString roomOf(const QString& path)
{
    return path.section(u'/', 0, 1);
}

using Arrows = std::map<QString, std::set<QString>>;

// Who may use whom, as the CMake files state it: lk_room(FOLDER USES FOLDER...).
Arrows statedArrows(std::vector<QString>* order = nullptr)
{
    static const QRegularExpression call(u"lk_room\\(([^)]*)\\)"_s);
    static const QRegularExpression space(u"\\s+"_s);
    Arrows stated;
    for (const QString& top : {u"backend"_s, u"widgets"_s, u"app"_s}) {
        auto calls = call.globalMatch(textOf(top + u"/CMakeLists.txt"_s));
        while (calls.hasNext()) {
            const QStringList words = calls.next().captured(1).split(space, Qt::SkipEmptyParts);
            std::set<QString>& uses = stated[words.value(0)];
            if (order)
                order->push_back(words.value(0));
            for (qsizetype i = words.indexOf(u"USES"_s) + 1; i > 0 && i < words.size(); ++i) {
                if (words[i] == u"PUBLIC" || words[i] == u"PRIVATE")
                    break;
                uses.insert(words[i]);
            }
        }
    }
    return stated;
}

struct Source
{
    QString path;
    qsizetype lines = 0;
    QString text;
    QStringList includes; // of our own files
};

std::vector<Source> sources()
{
    static const QRegularExpression include(u"^#include \"((?:backend|widgets|app)/[^\"]+)\""_s,
                                            QRegularExpression::MultilineOption);
    std::vector<Source> all;
    for (const QString& top : {u"backend"_s, u"widgets"_s, u"app"_s}) {
        QDirIterator files(root + top, {u"*.h"_s, u"*.cpp"_s}, QDir::Files,
                           QDirIterator::Subdirectories);
        while (files.hasNext()) {
            Source source;
            source.path = files.next().mid(root.size());
            source.text = textOf(source.path);
            source.lines = source.text.count(u'\n');
            auto matches = include.globalMatch(source.text);
            while (matches.hasNext())
                source.includes << matches.next().captured(1);
            all.push_back(source);
        }
    }
    return all;
}

// Types that a header gives inside others, of which nobody says what they are. By what clang-format
// makes of a type: its access specifiers stand in the column in which it begins.
QStringList undescribedInside(const QString& text)
{
    static const QRegularExpression access(u"^( *)(public|protected|private|signals)[a-z ]*:$"_s);
    static const QRegularExpression type(
        u"^( *)(?:template<.*> )?(struct|class|enum class|enum) (\\w+)[^;]*$"_s);
    std::map<qsizetype, bool> isPublic; // what comes next in the type that begins in that column
    QStringList found;
    QString before;
    for (const QString& line : text.split(u'\n')) {
        if (line.trimmed().startsWith(u"template<") && line.endsWith(u'>'))
            continue;
        if (const auto label = access.match(line); label.hasMatch()) {
            isPublic[label.capturedLength(1)] = label.captured(2) == u"public";
        } else if (const auto begun = type.match(line); begun.hasMatch()) {
            const qsizetype column = begun.capturedLength(1);
            bool given = column > 0;
            for (qsizetype outer = 0; outer < column; outer += 4)
                given = given && isPublic[outer];
            if (given && !before.trimmed().startsWith(u"//") && !line.contains(u"///<"))
                found << begun.captured(3);
            isPublic[column] = begun.captured(2) != u"class";
        }
        before = line;
    }
    return found;
}

} // namespace

/// The structure as it is meant to be: folders are rooms, arrows between them go one way, and no
/// file or folder is where everything lands.
class TestArchitecture : public QObject
{
    Q_OBJECT

private slots:
    // A room is stated after those that it uses: so no arrow goes back up and there is no circle.
    void roomsAreStatedInOrder()
    {
        std::vector<QString> order;
        const Arrows stated = statedArrows(&order);
        QVERIFY(order.size() > 20);
        std::set<QString> before;
        for (const QString& room : order) {
            for (const QString& used : stated.at(room))
                QVERIFY2(before.count(used), qPrintable(room + u" uses "_s + used));
            before.insert(room);
        }
    }

    // Every include of another room's header is stated, and what is stated is needed.
    void includesFollowTheArrows()
    {
        const Arrows stated = statedArrows();
        Arrows found;
        QStringList wrong;
        for (const Source& source : sources()) {
            const QString room = roomOf(source.path);
            for (const QString& include : source.includes) {
                const QString used = roomOf(include);
                if (used == room)
                    continue;
                found[room].insert(used);
                if (stated.count(room) && !stated.at(room).count(used))
                    wrong << source.path + u" includes "_s + include;
            }
        }
        for (const auto& [room, uses] : stated) {
            for (const QString& used : uses) {
                if (!found[room].count(used))
                    wrong << room + u" says that it uses "_s + used + u", and does not"_s;
            }
        }
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(u'\n')));
    }

    // In a room, too: what its folders use of each other goes one way, also between a folder and
    // those in it.
    void foldersDoNotCircle()
    {
        Arrows arrows;
        std::map<std::pair<QString, QString>, QString> examples;
        for (const Source& source : sources()) {
            const QString folder = source.path.section(u'/', 0, -2);
            for (const QString& include : source.includes) {
                const QString used = include.section(u'/', 0, -2);
                if (used == folder)
                    continue;
                arrows[folder].insert(used);
                examples[{folder, used}] = source.path + u" includes "_s + include;
            }
        }
        QVERIFY(arrows.size() > 50);
        std::set<QString> done;
        std::vector<QString> way;
        QStringList wrong;
        const std::function<void(const QString&)> follow = [&](const QString& folder) {
            const auto before = std::ranges::find(way, folder);
            if (before != way.end()) {
                QStringList circle;
                for (auto at = before; at != way.end(); ++at) {
                    const QString& next = at + 1 == way.end() ? folder : *(at + 1);
                    circle << examples[{*at, next}];
                }
                wrong << u"a circle: "_s + circle.join(u"; "_s);
                return;
            }
            if (done.count(folder))
                return;
            way.push_back(folder);
            for (const QString& used : arrows[folder])
                follow(used);
            way.pop_back();
            done.insert(folder);
        };
        std::vector<QString> folders;
        for (const auto& [folder, uses] : arrows)
            folders.push_back(folder);
        for (const QString& folder : folders)
            follow(folder);
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(u'\n')));
    }

    // What runs in a container and in cron has no window in it.
    void theCommandLineKnowsNoWidgets()
    {
        const Arrows stated = statedArrows();
        std::set<QString> reached;
        std::vector<QString> open{u"app/cli"_s};
        while (!open.empty()) {
            const QString room = open.back();
            open.pop_back();
            if (!reached.insert(room).second)
                continue;
            QVERIFY2(!room.startsWith(u"widgets/"), qPrintable(room));
            QVERIFY2(stated.count(room), qPrintable(room));
            open.insert(open.end(), stated.at(room).begin(), stated.at(room).end());
        }
        QVERIFY(reached.size() > 10);
    }

    // What is particular to a layout it says itself: a file that asks for its id would have to be
    // found and changed for each new one.
    void noOtherFileNamesALayout()
    {
        static const std::set<QByteArray> ordinaryWords{"gate",         "counter",
                                                        "array",        "bitmap",
                                                        "fixed-window", // an algorithm too
                                                        "token-bucket"};
        std::set<QString> ids;
        for (const lk::Layout* layout : lk::allLayouts()) {
            if (!ordinaryWords.count(layout->id()))
                ids.insert(QString::fromLatin1(layout->id()));
        }
        QVERIFY(ids.size() > 10);
        static const QRegularExpression literal(u"\"([a-z0-9-]+)\\\\?\""_s);
        QStringList wrong;
        for (const Source& source : sources()) {
            if (source.path.startsWith(u"backend/layouts/") ||
                source.path.startsWith(u"backend/demo/"))
                continue;
            auto words = literal.globalMatch(source.text);
            while (words.hasNext()) {
                const QString word = words.next().captured(1);
                if (ids.count(word))
                    wrong << source.path + u" names "_s + word;
            }
        }
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(u'\n')));
    }

    // What a value is called for people is a matter of backend/text.
    void theCoreHasNoTexts()
    {
        static const QRegularExpression text(u"\\btr\\(|TR_FUNCTIONS|TRANSLATE_NOOP"_s);
        for (const Source& source : sources()) {
            if (source.path.startsWith(u"backend/core/"))
                QVERIFY2(!source.text.contains(text), qPrintable(source.path));
        }
    }

    // What a header gives to others says what it is, and so does each public type in it.
    void everyTypeIsDescribed()
    {
        static const QRegularExpression definition(
            u"^(?:template\\b.*\\n)?(?:struct|class|enum class) (\\w+)[^;\\n]*$"_s,
            QRegularExpression::MultilineOption);
        QStringList wrong;
        int seen = 0;
        for (const Source& source : sources()) {
            if (!source.path.endsWith(u".h"))
                continue;
            auto types = definition.globalMatch(source.text);
            while (types.hasNext()) {
                const auto type = types.next();
                const QString before = source.text.left(type.capturedStart()).chopped(1);
                const QString line = before.mid(before.lastIndexOf(u'\n') + 1);
                ++seen;
                if (!line.startsWith(u"//"))
                    wrong << source.path + u": "_s + type.captured(1);
            }
            for (const QString& inside : undescribedInside(source.text))
                wrong << source.path + u": "_s + inside;
        }
        QVERIFY(seen > 300);
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(u'\n')));
    }

    void sizesStaySmall()
    {
        constexpr qsizetype mostLines = 452;
        constexpr int mostUnits = 20; // a header and its source are one
        std::vector<qsizetype> lines;
        std::map<QString, std::set<QString>> units;
        qsizetype largest = 0;
        for (const Source& source : sources()) {
            lines.push_back(source.lines);
            largest = std::max(largest, source.lines);
            QVERIFY2(source.lines <= mostLines, qPrintable(source.path));
            const QString folder = source.path.section(u'/', 0, -2);
            units[folder].insert(source.path.section(u'.', 0, 0));
        }
        std::sort(lines.begin(), lines.end());
        qInfo("%zu files, median %lld lines, largest %lld", lines.size(),
              qlonglong(lines[lines.size() / 2]), qlonglong(largest));
        for (const auto& [folder, names] : units) {
            qInfo("%4zu  %s", names.size(), qPrintable(folder));
            QVERIFY2(names.size() <= size_t(mostUnits), qPrintable(folder));
        }
    }

    // The tests, too: one file is about one subject.
    void testsStaySmall()
    {
        constexpr qsizetype mostLines = 500;
        constexpr int mostUnits = 22; // some twenty
        std::map<QString, std::set<QString>> units;
        QDirIterator files(root + u"tests"_s, {u"*.h"_s, u"*.cpp"_s}, QDir::Files,
                           QDirIterator::Subdirectories);
        while (files.hasNext()) {
            const QString path = files.next().mid(root.size());
            QVERIFY2(textOf(path).count(u'\n') <= mostLines, qPrintable(path));
            units[path.section(u'/', 0, -2)].insert(path.section(u'.', 0, 0));
        }
        QVERIFY(units.size() > 30);
        for (const auto& [folder, names] : units)
            QVERIFY2(names.size() <= size_t(mostUnits), qPrintable(folder));
    }
};

QTEST_APPLESS_MAIN(TestArchitecture)
#include "tst_architecture.moc"
