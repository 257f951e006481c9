// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/journal/journaldetail.h"

#include "backend/acting/planning/actionplace.h"
#include "widgets/actions/outcomestyle.h"
#include "widgets/controls/emptystate.h"
#include "widgets/controls/labels/factgrid.h"
#include "widgets/theme/boxlayout.h"
#include "widgets/theme/breakabletext.h"
#include "widgets/theme/plaintip.h"
#include "widgets/theme/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QJsonValue>
#include <QLabel>
#include <QLocale>
#include <QPushButton>

#include <algorithm>

namespace lk {

namespace {

constexpr qint64 afterMs = 1500; // until what it changed was read and recorded
constexpr int titleRun = 28;     // characters of the title that the narrowest pane has room for

QString expiryText(const QJsonObject& key)
{
    const QJsonValue value = key[QLatin1String("expires_ms")];
    return value.isDouble()
               ? JournalDetail::tr("expires %1").arg(localText(qint64(value.toDouble())))
               : JournalDetail::tr("does not expire");
}

QString fingerprintText(const QJsonObject& key)
{
    const QString fingerprint = key[QLatin1String("sha1")].toString();
    return fingerprint.isEmpty() ? QString()
                                 : JournalDetail::tr("SHA-1 %1").arg(fingerprint.left(12));
}

QString joined(QStringList parts)
{
    parts.removeAll(QString());
    return parts.join(QStringLiteral(", "));
}

QString beforeText(const QJsonArray& keys)
{
    QStringList lines;
    for (const QJsonValue& value : keys) {
        const QJsonObject key = value.toObject();
        const QString type = key[QLatin1String("type")].toString();
        if (type.isEmpty() || keyTypeFromName(type.toLatin1()) == KeyType::None)
            lines << JournalDetail::tr("absent");
        else
            lines << joined(
                {type,
                 QLocale().formattedDataSize(qint64(key[QLatin1String("bytes")].toDouble()), 1,
                                             QLocale::DataSizeSIFormat),
                 expiryText(key), fingerprintText(key)});
    }
    return lines.join(QLatin1Char('\n'));
}

QString afterText(const QJsonArray& keys)
{
    QStringList lines;
    for (const QJsonValue& value : keys) {
        const QJsonObject key = value.toObject();
        lines << (key[QLatin1String("exists")].toBool()
                      ? joined({expiryText(key), fingerprintText(key)})
                      : JournalDetail::tr("absent"));
    }
    return lines.join(QLatin1Char('\n'));
}

std::vector<FactGrid::Row> factsOf(const JournalEntry& e)
{
    std::vector<FactGrid::Row> rows;
    const auto add = [&](const QString& label, const QString& value, bool mono = false) {
        if (!value.isEmpty())
            rows.push_back({label, value, mono});
    };
    const qint64 ms = momentOf(e);
    add(JournalDetail::tr("When"), localText(ms) + QLatin1Char('\n') + momentTip(ms));
    add(JournalDetail::tr("Who"), QStringLiteral("%1@%2").arg(e.who, e.host));
    add(JournalDetail::tr("Redis user"), e.aclUser, true);
    add(JournalDetail::tr("Reason"), e.reason);
    add(JournalDetail::tr("Server"), e.endpoint);
    add(JournalDetail::tr("Node"), nodeText(e.node));
    add(JournalDetail::tr("Keys"), e.keys.join(QLatin1Char('\n')), true);
    add(JournalDetail::tr("Only if"), breakable(e.guard, titleRun)); // names an owner
    add(JournalDetail::tr("Changed"), e.count > 0 ? QLocale().toString(e.count) : QString());
    add(JournalDetail::tr("Before"), beforeText(e.before));
    add(JournalDetail::tr("After"), afterText(e.after));
    add(JournalDetail::tr("Undoes"), QString::fromLatin1(e.undoes), true);
    add(JournalDetail::tr("Group"), QString::fromLatin1(e.group), true);
    add(JournalDetail::tr("Receipt"), QString::fromLatin1(e.receipt), true);
    return rows;
}

std::vector<FactGrid::Row> factsOf(const JournalModel::Steps& steps)
{
    constexpr size_t mostNames = 20;
    const JournalEntry& last = *steps.front();
    QStringList names;
    for (size_t i = 0; i < std::min(steps.size(), mostNames); ++i)
        names << steps[i]->name;
    if (steps.size() > mostNames)
        names << JournalDetail::tr("and %Ln more", nullptr, int(steps.size() - mostNames));
    std::vector<FactGrid::Row> rows{
        {JournalDetail::tr("From"), localText(momentOf(*steps.back())), false},
        {JournalDetail::tr("To"), localText(momentOf(last)), false},
        {JournalDetail::tr("Who"), QStringLiteral("%1@%2").arg(last.who, last.host), false}};
    if (!last.reason.isEmpty())
        rows.push_back({JournalDetail::tr("Reason"), last.reason, false});
    rows.push_back({JournalDetail::tr("Server"), last.endpoint, false});
    rows.push_back({JournalDetail::tr("Names"), names.join(QLatin1Char('\n')), true});
    rows.push_back({JournalDetail::tr("Group"), QString::fromLatin1(last.group), true});
    return rows;
}

} // namespace

JournalDetail::JournalDetail(QWidget* parent)
    : DetailFrame(parent)
    , m_icon(new QLabel)
    , m_title(new QLabel)
    , m_word(new QLabel)
    , m_text(new QLabel)
    , m_facts(new FactGrid)
    , m_undo(new QPushButton(tr("&Undo…")))
    , m_copy(new QPushButton(tr("Cop&y receipt ID")))
    , m_then(new QPushButton(tr("&Show this moment")))
{
    setMinimumWidth(340);
    setObjectName(QStringLiteral("journalDetail"));
    m_title->setFont(monoFont(TextSize::Title));
    m_title->setWordWrap(true);
    m_text->setWordWrap(true);
    for (QLabel* label : {m_title, m_text})
        label->setTextFormat(Qt::PlainText);
    auto* page = new QWidget;
    auto* head = rowOf(8, {{m_title, 1}, m_icon, m_word});
    m_then->setObjectName(QStringLiteral("showMoment"));
    m_then->setToolTip(tr("Shows all boards as they were right after it"));
    connect(m_then, &QPushButton::clicked, this, [this] { emit momentWanted(m_momentMs); });
    auto* buttons = rowOf(8, {m_undo, m_copy, m_then, BoxStretch{}});
    columnIn(page, {16, 12, 16, 12}, 8,
             {head, m_text, BoxGap{4}, m_facts, BoxGap{8}, buttons, BoxStretch{}});
    nothing()->setText(QStringLiteral("journal"), tr("Nothing selected"),
                       tr("Select an action to see what it changed and how to undo it."));
    build(page, nullptr, tr("Details"));
    connect(m_undo, &QPushButton::clicked, this, [this] { emit undoWanted(m_undoable); });
    connect(m_copy, &QPushButton::clicked, this,
            [this] { QApplication::clipboard()->setText(QString::fromLatin1(m_id)); });
}

void JournalDetail::setRecordedFrom(qint64 firstMs)
{
    m_recordedFromMs = firstMs;
    m_then->setVisible(firstMs > 0 && m_momentMs >= firstMs);
}

void JournalDetail::show(const JournalModel::Steps& steps, const QByteArrayList& undoable,
                         const QStringList& here)
{
    if (steps.empty())
        return showPage(false);
    const JournalEntry* entry = steps.front();
    const bool group = steps.size() > 1;
    m_id = group ? entry->group : entry->receipt;
    m_momentMs = momentOf(*entry) + afterMs;
    setRecordedFrom(m_recordedFromMs);
    m_undoable = undoable;
    const QString what = group ? tr("%Ln action(s)", nullptr, int(steps.size())) : entry->name;
    m_title->setText(
        breakable(QStringLiteral("%1 %2").arg(QString::fromLatin1(entry->action), what), titleRun));
    const int side = m_word->fontMetrics().height();
    m_icon->setPixmap(outcomeIcon(gravest(steps), QApplication::palette()).pixmap(side, side));
    m_word->setText(outcomesText(steps));
    m_text->setText(breakable(entry->text, titleRun));
    m_text->setVisible(!group && entry->text != outcomeTitle(entry->outcome));
    m_facts->setRows(group ? factsOf(steps) : factsOf(*entry));
    m_copy->setText(group ? tr("Cop&y group ID") : tr("Cop&y receipt ID"));
    const bool isHere = here.contains(entry->endpoint) || here.contains(entry->node);
    const bool undone = undoable.isEmpty();
    m_undo->setText(group ? tr("&Undo all %Ln…", nullptr, int(undoable.size())) : tr("&Undo…"));
    m_undo->setVisible(std::any_of(steps.begin(), steps.end(),
                                   [](const JournalEntry* step) { return step->undoable; }));
    m_undo->setEnabled(isHere && !undone && !m_past);
    m_undo->setToolTip(
        m_past   ? tr("You are looking at the past; go back to live to undo it")
        : undone ? tr("Already undone")
        : isHere ? tr("Shows the plan first")
                 : plainTip(tr("It was run on %1: connect there to undo it").arg(entry->endpoint)));
    showPage(true);
}

} // namespace lk
