// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/actions/plan/planview.h"

#include "backend/core/names/keyname.h"
#include "widgets/actions/plan/stepmodel.h"
#include "widgets/controls/inlinemessage.h"
#include "widgets/controls/labels/factgrid.h"
#include "widgets/controls/tables/flattable.h"
#include "widgets/theme/boxlayout.h"
#include "widgets/theme/breakabletext.h"
#include "widgets/theme/theme.h"

#include <QHash>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QScrollArea>
#include <QSet>
#include <QTableView>

#include <algorithm>

namespace lk {

namespace {

constexpr size_t mostLines = 12; // keys, and commands; the others are counted

QString lines(QStringList all)
{
    const qsizetype more = all.size() - qsizetype(mostLines);
    if (more > 0) {
        all.resize(qsizetype(mostLines));
        all << PlanView::tr("and %Ln more", nullptr, int(more));
    }
    return all.join(QLatin1Char('\n'));
}

// A text that all share appears once; others with the number of plans that share them.
QString textOfAll(const QStringList& texts)
{
    QHash<QString, int> counts;
    QStringList each; // in the order of the plans
    for (const QString& text : texts) {
        if (++counts[text] == 1)
            each << text;
    }
    if (each.size() < 2)
        return each.join(QString());
    each.removeAll(QString());
    for (QString& text : each)
        text = PlanView::tr("%1 of %2: %3")
                   .arg(QLocale().toString(counts.value(text)), QLocale().toString(texts.size()),
                        text);
    return lines(each);
}

QString guardOf(const PlanSet& set)
{
    const QString& first = set.plans.front().guard;
    const bool same = std::all_of(set.plans.begin(), set.plans.end(),
                                  [&](const Plan& plan) { return plan.guard == first; });
    return same ? first : PlanView::tr("each is unchanged");
}

QString consequenceOf(const PlanSet& set)
{
    QStringList texts;
    for (const Plan& plan : set.plans)
        texts << plan.consequence;
    return textOfAll(texts);
}

QString undoOf(const PlanSet& set)
{
    QStringList texts;
    for (const Plan& plan : set.plans)
        texts << undoText(plan.undo);
    return textOfAll(texts);
}

std::vector<FactGrid::Row> factsOf(const PlanSet& set, const QString& server)
{
    std::vector<FactGrid::Row> rows{{PlanView::tr("Server"), server, false}};
    if (set.plans.empty())
        return rows;
    const Plan& first = set.plans.front();
    QStringList keys;
    QStringList commands;
    for (const Plan& plan : set.plans) {
        for (const QByteArray& key : plan.keys)
            keys << displayName(plan.redactedKey(key));
        commands << plan.commands;
    }
    const auto add = [&](const QString& label, const QString& value, bool mono) {
        if (!value.isEmpty())
            rows.push_back({label, value, mono});
    };
    add(PlanView::tr("Keys"), lines(keys), true);
    if (set.plans.size() == 1)
        add(PlanView::tr("Current state"), first.expected, false);
    add(PlanView::tr("Only if"), guardOf(set), false);
    add(PlanView::tr("Runs"), lines(commands), true);
    if (!first.script.isEmpty())
        add(PlanView::tr("Undo"), undoOf(set), false);
    return rows;
}

QString refusedText(const PlanSet& set)
{
    QStringList texts;
    QSet<QString> shown;
    for (const auto& [name, error] : set.refused) {
        const QString why = sentences(error);
        const QString line =
            name.isEmpty() ? why : QStringLiteral("%1: %2").arg(displayName(name), why);
        if (!shown.contains(line))
            texts << line;
        shown.insert(line);
    }
    return lines(texts);
}

QWidget* lineRow(QLabel* label, QLineEdit* field)
{
    auto* row = new QWidget;
    label->setBuddy(field);
    columnIn(row, {}, 4, {label, field});
    return row;
}

} // namespace

QTableView* makeStepTable(StepModel* model)
{
    auto* table = new FlatTable;
    table->setModel(model);
    table->setAccessibleName(PlanView::tr("Actions"));
    const int em = table->fontMetrics().averageCharWidth();
    table->horizontalHeader()->resizeSection(StepModel::NameColumn, em * 32);
    table->horizontalHeader()->resizeSection(StepModel::OutcomeColumn, em * 16);
    table->horizontalHeader()->setSectionResizeMode(StepModel::TextColumn, QHeaderView::Stretch);
    table->setMinimumHeight(table->verticalHeader()->defaultSectionSize() * 5);
    return table;
}

PlanView::PlanView(StepModel* steps, QWidget* parent)
    : QWidget(parent)
    , m_scroll(new QScrollArea)
    , m_title(new QLabel)
    , m_consequence(new QLabel)
    , m_facts(new FactGrid)
    , m_table(makeStepTable(steps))
    , m_refused(new InlineMessage)
    , m_reason(new QLineEdit)
    , m_typedLabel(new QLabel)
    , m_typedField(new QLineEdit)
    , m_stale(new InlineMessage)
    , m_hint(new InlineMessage)
{
    m_title->setFont(uiFont(TextSize::Title));
    for (QLabel* label : {m_title, m_consequence, m_typedLabel}) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText); // what a server holds is never markup
    }
    m_title->setObjectName(QStringLiteral("planTitle"));
    m_typedLabel->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_reason->setAccessibleName(tr("Reason"));
    m_reason->setPlaceholderText(tr("why, or a ticket; written to the journal"));
    m_reason->setMaxLength(500);
    m_reason->setObjectName(QStringLiteral("reason"));
    m_typedField->setObjectName(QStringLiteral("typedName"));
    m_reasonRow = lineRow(new QLabel(tr("&Reason")), m_reason);
    m_typedRow = lineRow(m_typedLabel, m_typedField);

    auto* inner = new QWidget;
    columnIn(inner, {}, 8,
             {m_title, m_consequence, BoxGap{4}, m_facts, {m_table, 1}, m_refused, BoxStretch{0}});
    m_scroll->setWidget(inner);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setAccessibleName(tr("Plan"));
    m_scroll->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Ignored);
    m_scroll->setFocusPolicy(Qt::TabFocus); // to be scrolled by keys
    m_stale->hide();
    m_stale->setObjectName(QStringLiteral("stalePlan"));
    columnIn(this, {}, 8, {{m_scroll, 1}, m_stale, m_reasonRow, m_typedRow, m_hint});
    connect(m_typedField, &QLineEdit::textChanged, this, &PlanView::changed);
    connect(m_reason, &QLineEdit::textChanged, this, &PlanView::changed);
}

void PlanView::showWaiting(const QString& title)
{
    m_title->setText(title);
    m_consequence->setText({});
    m_facts->setRows({});
    for (QWidget* widget : std::initializer_list<QWidget*>{m_table, m_refused, m_reasonRow,
                                                           m_typedRow, m_consequence, m_stale})
        widget->hide();
    m_hint->setMessage(InlineMessage::Tone::Busy, tr("Reading the current state…"));
    fitScroll();
}

void PlanView::showPlan(const PlanSet& set, const QString& title, const QString& server,
                        bool asTable, const QString& typed)
{
    const bool any = !set.plans.empty();
    m_title->setText(breakable(title, 50));
    m_consequence->setText(breakable(consequenceOf(set)));
    m_consequence->setVisible(!m_consequence->text().isEmpty());
    m_facts->setRows(factsOf(set, server));
    m_table->setVisible(asTable);
    // With a table each row says for itself why it is left out.
    m_refused->setMessage(InlineMessage::Tone::Problem,
                          asTable && any ? QString() : refusedText(set));
    m_refused->setVisible(!m_refused->text().isEmpty());
    m_reasonRow->setVisible(any);
    m_typed = typed;
    m_typedRow->setVisible(any && !typed.isEmpty());
    m_typedLabel->setText(tr("&Type %1 to continue")
                              .arg(QString(typed).replace(QLatin1Char('&'), QStringLiteral("&&"))));
    m_typedField->setAccessibleName(tr("Type %1 to continue").arg(typed));
    m_typedField->clear();
    setHint({});
    setStale({}, 0);
    fitScroll();
}

void PlanView::setStale(const QHash<QByteArray, QString>& stale, int plans)
{
    m_stale->setVisible(!stale.isEmpty());
    if (stale.isEmpty())
        return;
    const QString text =
        plans == 1 ? tr("Changed since this plan was made: %1. Running it would end in a conflict "
                        "and change nothing.")
                         .arg(*stale.cbegin())
                   : tr("Changed since this plan was made: %1 of %2. Running these would end in "
                        "conflicts and change nothing.")
                         .arg(QLocale().toString(stale.size()), QLocale().toString(plans));
    m_stale->setMessage(InlineMessage::Tone::Problem, text);
}

// Fits the height to the contents, up to the room in the smallest window.
void PlanView::fitScroll()
{
    constexpr int width = 600;
    constexpr int most = 360;
    QLayout* inner = m_scroll->widget()->layout();
    inner->activate();
    const int wanted = inner->hasHeightForWidth() ? inner->totalHeightForWidth(width)
                                                  : inner->totalSizeHint().height();
    m_scroll->setMinimumHeight(std::min(wanted, most));
}

void PlanView::setHint(const QString& text)
{
    m_hint->setMessage(InlineMessage::Tone::Warning, text);
    m_hint->setVisible(!text.isEmpty());
}

QString PlanView::reason() const
{
    return m_reason->text().trimmed();
}

void PlanView::setReasonRequired(bool required)
{
    m_reasonRequired = required;
    m_reason->setPlaceholderText(required
                                     ? tr("required on production: why, or a ticket; written to "
                                          "the journal")
                                     : tr("why, or a ticket; written to the journal"));
}

QString PlanView::missing() const
{
    return m_reasonRequired && reason().isEmpty() ? tr("A reason is required on production")
                                                  : QString();
}

bool PlanView::isConfirmed() const
{
    if (!missing().isEmpty())
        return false;
    // A number may be typed with or without group separators.
    const auto bare = [](QString text) {
        return text.remove(QLocale().groupSeparator()).trimmed();
    };
    return m_typed.isEmpty() || bare(m_typedField->text()) == bare(m_typed);
}

} // namespace lk
