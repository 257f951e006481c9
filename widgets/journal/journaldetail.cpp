// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/journal/journaldetail.h"

#include "widgets/actions/outcomelook.h"
#include "widgets/boards/emptystate.h"
#include "widgets/detail/factgrid.h"
#include "widgets/journal/journalmodel.h"
#include "widgets/theme/plaintip.h"
#include "widgets/theme/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QJsonValue>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedLayout>
#include <QVBoxLayout>

namespace lk {

namespace {

QString expiryText(const QJsonObject& key)
{
    const QJsonValue value = key[QLatin1String("expires_ms")];
    return value.isDouble()
               ? JournalDetail::tr("expires %1").arg(localText(qint64(value.toDouble())))
               : JournalDetail::tr("does not expire");
}

QString printText(const QJsonObject& key)
{
    const QString print = key[QLatin1String("sha1")].toString();
    return print.isEmpty() ? QString() : JournalDetail::tr("SHA-1 %1").arg(print.left(12));
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
        if (type.isEmpty() || type == QLatin1String("none"))
            lines << JournalDetail::tr("not there");
        else
            lines << joined({type,
                             QLocale().formattedDataSize(
                                 qint64(key[QLatin1String("bytes")].toDouble()), 1,
                                 QLocale::DataSizeSIFormat),
                             expiryText(key), printText(key)});
    }
    return lines.join(QLatin1Char('\n'));
}

QString afterText(const QJsonArray& keys)
{
    QStringList lines;
    for (const QJsonValue& value : keys) {
        const QJsonObject key = value.toObject();
        lines << (key[QLatin1String("exists")].toBool() ? joined({expiryText(key), printText(key)})
                                                        : JournalDetail::tr("not there"));
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
    add(JournalDetail::tr("As"), e.aclUser, true); // the server's user
    add(JournalDetail::tr("Reason"), e.reason);
    add(JournalDetail::tr("Server"), e.endpoint);
    add(JournalDetail::tr("Keys"), e.keys.join(QLatin1Char('\n')), true);
    add(JournalDetail::tr("Only if"), e.guard);
    add(JournalDetail::tr("Changed"), e.count > 0 ? QLocale().toString(e.count) : QString());
    add(JournalDetail::tr("Before"), beforeText(e.before));
    add(JournalDetail::tr("After"), afterText(e.after));
    add(JournalDetail::tr("Takes back"), QString::fromLatin1(e.undoes), true);
    add(JournalDetail::tr("Receipt"), QString::fromLatin1(e.receipt), true);
    return rows;
}

} // namespace

JournalDetail::JournalDetail(QWidget* parent)
    : QWidget(parent)
    , m_stack(new QStackedLayout(this))
    , m_empty(new EmptyState)
    , m_icon(new QLabel)
    , m_title(new QLabel)
    , m_word(new QLabel)
    , m_text(new QLabel)
    , m_facts(new FactGrid)
    , m_undo(new QPushButton(tr("&Undo…")))
    , m_copy(new QPushButton(tr("Cop&y receipt id")))
{
    setMinimumWidth(340);
    setObjectName(QStringLiteral("journalDetail"));
    m_title->setFont(monoFont(TextSize::Title));
    m_title->setWordWrap(true);
    m_text->setWordWrap(true);
    for (QLabel* label : {m_title, m_text})
        label->setTextFormat(Qt::PlainText);
    auto* page = new QWidget;
    auto* head = new QHBoxLayout;
    head->setSpacing(8);
    head->addWidget(m_title, 1);
    head->addWidget(m_icon);
    head->addWidget(m_word);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addWidget(m_undo);
    buttons->addWidget(m_copy);
    buttons->addStretch(1);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(16, 12, 16, 12);
    layout->setSpacing(8);
    layout->addLayout(head);
    layout->addWidget(m_text);
    layout->addSpacing(4);
    layout->addWidget(m_facts);
    layout->addSpacing(8);
    layout->addLayout(buttons);
    layout->addStretch(1);
    auto* scroll = new QScrollArea;
    scroll->setWidget(page);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setAccessibleName(tr("Details"));
    for (QWidget* ground : std::initializer_list<QWidget*>{page, scroll->viewport(), m_empty}) {
        ground->setBackgroundRole(QPalette::Base);
        ground->setAutoFillBackground(true);
    }
    m_stack->addWidget(scroll);
    m_stack->addWidget(m_empty);
    m_empty->setText(QStringLiteral("journal"), tr("Nothing selected"),
                     tr("Select a step to see what it found, what it changed and how to take it "
                        "back."));
    m_stack->setCurrentWidget(m_empty);
    connect(m_undo, &QPushButton::clicked, this, [this] { emit undoWanted(m_receipt); });
    connect(m_copy, &QPushButton::clicked, this, [this] {
        QApplication::clipboard()->setText(QString::fromLatin1(m_receipt));
    });
}

void JournalDetail::show(const JournalEntry* entry, const QString& endpoint, bool undone)
{
    if (!entry)
        return m_stack->setCurrentWidget(m_empty);
    m_receipt = entry->receipt;
    m_title->setText(QStringLiteral("%1 %2").arg(QString::fromLatin1(entry->action), entry->name));
    const int side = m_word->fontMetrics().height();
    m_icon->setPixmap(outcomeIcon(entry->outcome, QApplication::palette()).pixmap(side, side));
    m_word->setText(outcomeTitle(entry->outcome));
    m_text->setText(entry->text);
    m_text->setVisible(entry->text != outcomeTitle(entry->outcome));
    m_facts->setRows(factsOf(*entry));
    const bool here = entry->endpoint == endpoint;
    m_undo->setVisible(entry->undoable);
    m_undo->setEnabled(here && !undone);
    m_undo->setToolTip(undone ? tr("It was taken back already")
                       : here ? tr("Shows what it would do first")
                            : plainTip(tr("It was done on %1: connect there to undo it")
                                           .arg(entry->endpoint)));
    m_stack->setCurrentIndex(0);
}

} // namespace lk
