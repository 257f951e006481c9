// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/alerts/alertdetail.h"

#include "backend/core/names/keyname.h"
#include "backend/findings/findings.h"
#include "backend/text/duration.h"
#include "widgets/controls/elidedlabel.h"
#include "widgets/controls/emptystate.h"
#include "widgets/controls/factgrid.h"
#include "widgets/controls/severitystyle.h"
#include "widgets/theme/icon.h"
#include "widgets/theme/theme.h"

#include <QEvent>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedLayout>
#include <QVBoxLayout>

namespace lk {

AlertDetail::AlertDetail(QWidget* parent)
    : QWidget(parent)
    , m_stack(new QStackedLayout(this))
    , m_empty(new EmptyState)
    , m_name(new ElidedLabel)
    , m_icon(new QLabel)
    , m_word(new QLabel)
    , m_text(new QLabel)
    , m_facts(new FactGrid)
    , m_acknowledge(new QPushButton(tr("&Acknowledge")))
    , m_silence(new QPushButton(tr("&Silence…")))
    , m_endSilence(new QPushButton(tr("&End silence")))
    , m_show(new QPushButton(tr("Sho&w")))
    , m_then(new QPushButton(tr("Show when it &fired")))
{
    setMinimumWidth(330);
    setObjectName(QStringLiteral("alertDetail"));
    m_name->setFont(monoFont(TextSize::Title));
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText); // what a server holds is never markup
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_text->setFocusPolicy(Qt::NoFocus);
    auto* head = new QHBoxLayout;
    head->setSpacing(8);
    head->addWidget(m_name, 1);
    head->addWidget(m_icon);
    head->addWidget(m_word);
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(16, 16, 16, 16);
    column->setSpacing(12);
    column->addLayout(head);
    column->addWidget(m_text);
    column->addWidget(m_facts);
    column->addStretch(1);
    auto* scroll = new QScrollArea;
    scroll->setWidget(page);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setAccessibleName(tr("Details"));
    auto* shown = new QWidget;
    auto* all = new QVBoxLayout(shown);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addWidget(scroll, 1);
    auto* line = new QFrame;
    line->setFixedHeight(1);
    line->setBackgroundRole(QPalette::Mid);
    line->setAutoFillBackground(true);
    all->addWidget(line);
    QWidget* bar = buildBar();
    all->addWidget(bar);
    for (QWidget* ground :
         std::initializer_list<QWidget*>{page, scroll->viewport(), bar, m_empty}) {
        ground->setBackgroundRole(QPalette::Base);
        ground->setAutoFillBackground(true);
    }
    m_stack->addWidget(shown);
    m_stack->addWidget(m_empty);
    m_empty->setText(QStringLiteral("alert"), tr("Nothing selected"),
                     tr("Select an alert to acknowledge or silence it, or to see what it is "
                        "about."));
    m_stack->setCurrentWidget(m_empty);
}

QWidget* AlertDetail::buildBar()
{
    auto* bar = new QWidget;
    auto* rows = new QVBoxLayout(bar);
    rows->setContentsMargins(16, 12, 16, 12);
    rows->setSpacing(8);
    auto* first = new QHBoxLayout;
    auto* second = new QHBoxLayout;
    for (QHBoxLayout* row : {first, second}) {
        row->setSpacing(8);
        rows->addLayout(row);
    }
    first->addWidget(m_acknowledge);
    first->addWidget(m_silence);
    first->addWidget(m_endSilence);
    first->addStretch(1);
    second->addWidget(m_show);
    second->addWidget(m_then);
    second->addStretch(1);
    m_acknowledge->setToolTip(tr("Says that somebody is looking after it; it stays open until it "
                                 "is resolved"));
    connect(m_acknowledge, &QPushButton::clicked, this, &AlertDetail::acknowledgeWanted);
    connect(m_silence, &QPushButton::clicked, this, &AlertDetail::silenceWanted);
    connect(m_endSilence, &QPushButton::clicked, this, &AlertDetail::silenceEndWanted);
    connect(m_show, &QPushButton::clicked, this, &AlertDetail::objectWanted);
    m_then->setObjectName(QStringLiteral("showFired"));
    m_then->setToolTip(tr("All boards as they were when the alert fired"));
    connect(m_then, &QPushButton::clicked, this, &AlertDetail::momentWanted);
    return bar;
}

void AlertDetail::updateIcon()
{
    if (m_shown)
        m_icon->setPixmap(severityIcon(m_shown->severity, palette()).pixmap(16, 16));
}

void AlertDetail::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        updateIcon();
    QWidget::changeEvent(event);
}

void AlertDetail::show(const AlertPtr& alert, AlertStanding standing, const Silence* silence,
                       bool canShowObject, bool canShowMoment)
{
    m_shown = alert;
    if (!alert)
        return m_stack->setCurrentWidget(m_empty);
    m_name->setText(displayName(alert->name));
    updateIcon();
    m_word->setText(severityWord(alert->severity));
    m_text->setText(alert->text);
    std::vector<FactGrid::Row> rows{
        {tr("Rule"), displayName(alert->rule), true},
        {tr("State"), standingWord(standing)},
        {tr("Held since"), momentText(alert->sinceMs)},
        {tr("Fired"), momentText(alert->firedMs)},
    };
    if (!alert->isOpen())
        rows.push_back({tr("Resolved"), momentText(alert->resolvedMs)});
    if (alert->acknowledgedMs != 0)
        rows.push_back(
            {tr("Acknowledged"),
             tr("%1 by %2").arg(momentText(alert->acknowledgedMs), alert->acknowledgedBy)});
    if (silence) {
        rows.push_back({tr("Silenced by"), silence->by});
        rows.push_back({tr("Silenced until"),
                        silence->untilMs == 0 ? tr("it is ended") : momentText(silence->untilMs)});
        if (!silence->reason.isEmpty())
            rows.push_back({tr("Reason"), silence->reason});
    }
    m_facts->setRows(std::move(rows));
    m_acknowledge->setVisible(alert->isOpen());
    m_acknowledge->setEnabled(alert->acknowledgedMs == 0);
    m_silence->setVisible(alert->isOpen() && !silence);
    m_endSilence->setVisible(alert->isOpen() && silence);
    m_show->setEnabled(canShowObject);
    m_then->setVisible(canShowMoment);
    m_stack->setCurrentIndex(0);
}

} // namespace lk
