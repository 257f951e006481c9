// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/alerts/ruledialog.h"

#include "backend/alerts/rules/condition.h"
#include "backend/config/alerts/alertedit.h"
#include "backend/core/names/keyname.h"
#include "backend/findings/findings.h"
#include "backend/text/time/duration.h"
#include "widgets/controls/inlinemessage.h"
#include "widgets/controls/labels/wrappedlabel.h"
#include "widgets/saving/offthread.h"
#include "widgets/theme/boxlayout.h"
#include "widgets/theme/theme.h"

#include <QCheckBox>
#include <QComboBox>
#include <QCompleter>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

#include <algorithm>

namespace lk {

namespace {

// The words that may begin a condition: codes of findings, and metrics.
QStringList beginnings()
{
    QStringList all;
    for (const KnownFinding& known : knownFindings())
        all << QString::fromLatin1(known.code);
    for (const Kind kind : allKinds) {
        for (const QString& metric : alertMetrics(kind))
            all << QString::fromLatin1(kindId(kind)) + QLatin1Char('.') + metric +
                       QStringLiteral(" > ");
    }
    for (const QString& metric : alertMetrics(std::nullopt))
        all << QStringLiteral("server.") + metric + QStringLiteral(" > ");
    return all;
}

QString joined(const QByteArrayList& names)
{
    QStringList all;
    for (const QByteArray& name : names)
        all << displayName(name);
    return all.join(QStringLiteral(", "));
}

} // namespace

RuleDialog* RuleDialog::open(Session* session, QWidget* over)
{
    auto* dialog = new RuleDialog(session, over->window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->QDialog::open();
    return dialog;
}

RuleDialog::RuleDialog(Session* session, QWidget* parent)
    : QDialog(parent)
    , m_session(session)
    , m_path(session->configFile())
    , m_rule(new QComboBox)
    , m_when(new QLineEdit)
    , m_match(new QLineEdit)
    , m_for(new QLineEdit)
    , m_resolve(new QLineEdit)
    , m_severity(new QComboBox)
    , m_notify(new QLineEdit)
    , m_on(new QCheckBox(tr("&This rule is on")))
    , m_lines(wrappedLabel({}, monoFont(TextSize::Caption)))
    , m_message(new InlineMessage)
    , m_close(new QPushButton(tr("&Close")))
    , m_write(new QPushButton(tr("&Write")))
{
    setObjectName(QStringLiteral("ruleDialog"));
    setWindowTitle(tr("Alert rules – Lockkeeper"));
    setMinimumWidth(600);
    auto* form = new QFormLayout;
    buildFields(form);
    m_lines->setFrameShape(QFrame::StyledPanel);
    m_lines->setMargin(8);
    m_lines->setObjectName(QStringLiteral("ruleLines"));
    auto* buttons = rowOf(8, {BoxStretch{}, m_close, m_write});
    m_write->setDefault(true);
    m_write->setEnabled(false);
    columnIn(this, {16, 16, 16, 16}, 12,
             {wrappedLabel(tr("Alert rules"), uiFont(TextSize::Title)),
              wrappedLabel(tr("An alert fires once its condition has held for that long, and is "
                              "resolved once it has been clear for as long. Notification "
                              "targets are in the same file; see lockkeeper.toml(5)."),
                           uiFont(TextSize::Body)),
              form,
              wrappedLabel(tr("This is written to %1:").arg(m_path), uiFont(TextSize::Caption)),
              m_lines, m_message, BoxStretch{}, buttons});
    connect(m_close, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_write, &QPushButton::clicked, this, &RuleDialog::accept);
    connect(session, &QObject::destroyed, this, &QDialog::close);
    readFile(this, m_path, [this](const Result<QByteArray>& toml) { onRead(toml); });
}

void RuleDialog::buildFields(QFormLayout* form)
{
    const auto add = [&](const QString& label, QWidget* field, const char* name) {
        field->setObjectName(QLatin1String(name));
        field->setAccessibleName(QString(label).remove(QLatin1Char('&')));
        form->addRow(label, field);
        if (auto* line = qobject_cast<QLineEdit*>(field))
            connect(line, &QLineEdit::textChanged, this, &RuleDialog::preview);
    };
    add(tr("&Rule"), m_rule, "rule");
    add(tr("W&hen"), m_when, "when");
    add(tr("&Match"), m_match, "match");
    add(tr("&For"), m_for, "for");
    add(tr("Resol&ve at"), m_resolve, "resolve");
    add(tr("&Severity"), m_severity, "severity");
    add(tr("&Notify"), m_notify, "notify");
    m_on->setObjectName(QStringLiteral("on"));
    form->addRow(QString(), m_on);
    auto* completer = new QCompleter(beginnings(), this);
    completer->setFilterMode(Qt::MatchContains);
    m_when->setCompleter(completer);
    m_when->setFont(monoFont(TextSize::Body));
    m_when->setPlaceholderText(tr("queue-stuck, queue.ready > 1000, queue.dead > 0 in 10m"));
    m_match->setFont(monoFont(TextSize::Body));
    m_match->setPlaceholderText(tr("any name, or a pattern such as mail:*"));
    m_for->setPlaceholderText(tr("30s, 2m, 1h; empty: at once"));
    m_resolve->setPlaceholderText(tr("for a metric: the number at which it is clear again"));
    m_notify->setPlaceholderText(joined(m_session->config().alerts.notify));
    for (const auto severity :
         {Finding::Severity::Info, Finding::Severity::Warning, Finding::Severity::Error})
        m_severity->addItem(severityWord(severity), int(severity));
    connect(m_rule, &QComboBox::currentIndexChanged, this, &RuleDialog::showRule);
    connect(m_severity, &QComboBox::currentIndexChanged, this, &RuleDialog::preview);
    connect(m_on, &QCheckBox::toggled, this, &RuleDialog::preview);
}

void RuleDialog::onRead(const Result<QByteArray>& toml)
{
    if (!toml)
        return m_message->setError(toml.error());
    m_toml = *toml;
    m_read = true;
    listRules({});
}

void RuleDialog::listRules(const QByteArray& chosen)
{
    const Result<Config> config = parseConfig(m_toml, m_path);
    m_filling = true;
    m_rule->clear();
    m_rules.clear();
    if (config) {
        m_rules = rulesInForce(config->alerts);
        for (const AlertRule& rule : config->alerts.rules) {
            if (rule.off)
                m_rules.push_back(rule);
        }
    }
    for (const AlertRule& rule : m_rules) {
        const QString name = displayName(rule.id());
        m_rule->addItem(rule.builtIn ? tr("%1 (built in)").arg(name)
                        : rule.off   ? tr("%1 (off)").arg(name)
                                     : name);
    }
    m_rule->addItem(tr("New rule"));
    m_filling = false;
    const auto there = std::find_if(m_rules.begin(), m_rules.end(),
                                    [&](const AlertRule& rule) { return rule.id() == chosen; });
    m_rule->setCurrentIndex(there == m_rules.end() ? 0 : int(there - m_rules.begin()));
    showRule();
}

void RuleDialog::showRule()
{
    const int index = m_rule->currentIndex();
    if (m_filling || index < 0)
        return;
    m_filling = true;
    const AlertRule rule = index < int(m_rules.size()) ? m_rules[size_t(index)] : AlertRule();
    m_when->setText(displayName(rule.when));
    m_match->setText(displayName(rule.match));
    m_for->setText(rule.forMs == 0 ? QString() : configDuration(rule.forMs));
    m_resolve->setText(rule.resolve ? QLatin1String(configNumber(*rule.resolve)) : QString());
    m_severity->setCurrentIndex(m_severity->findData(int(rule.severity)));
    m_notify->setText(rule.notify ? joined(*rule.notify) : QString());
    m_on->setChecked(!rule.off);
    m_filling = false;
    preview();
}

Result<AlertRule> RuleDialog::entered() const
{
    AlertRule rule;
    rule.when = m_when->text().trimmed().toUtf8();
    if (rule.when.isEmpty())
        return failure(ErrorCode::BadArgument,
                       tr("Enter a finding's code, or a metric with a comparison"));
    const auto condition = parseCondition(rule.when);
    if (!condition)
        return failure(ErrorCode::BadArgument, condition.error());
    rule.condition = *condition;
    rule.match = m_match->text().trimmed().toUtf8();
    if (const QString text = m_for->text().trimmed(); !text.isEmpty()) {
        const Result<qint64> ms = parseDuration(text);
        if (!ms)
            return tl::unexpected(ms.error());
        rule.forMs = *ms;
    }
    if (const QString text = m_resolve->text().trimmed(); !text.isEmpty()) {
        bool isNumber = false;
        rule.resolve = text.toDouble(&isNumber);
        if (!isNumber)
            return failure(ErrorCode::BadArgument, tr("\"Resolve at\" must be a number"));
    }
    rule.severity = Finding::Severity(m_severity->currentData().toInt());
    QByteArrayList targets;
    for (const QString& name : m_notify->text().split(QLatin1Char(','), Qt::SkipEmptyParts)) {
        if (!name.trimmed().isEmpty())
            targets << name.trimmed().toUtf8();
    }
    if (!targets.isEmpty())
        rule.notify = targets;
    rule.off = !m_on->isChecked();
    return rule;
}

// Shows the exact lines, or the errors, before anything is written.
void RuleDialog::preview()
{
    if (!m_read || m_filling)
        return;
    const int index = m_rule->currentIndex();
    const AlertRule* chosen = index < int(m_rules.size()) ? &m_rules[size_t(index)] : nullptr;
    const Result<AlertRule> rule = entered();
    const bool asItIs = rule && chosen && [&] {
        AlertRule same = *rule;
        same.builtIn = chosen->builtIn;
        return same.saysTheSameAs(*chosen);
    }();
    const Result<ConfigEdit> edit =
        rule ? writeAlert(m_toml, m_path, *rule, chosen ? chosen->id() : QByteArray())
             : Result<ConfigEdit>(tl::unexpected(rule.error()));
    const bool untouched = !chosen && m_when->text().isEmpty();
    m_write->setEnabled(edit && !asItIs);
    m_lines->setText(edit ? QString::fromUtf8(edit->lines) : QString());
    m_lines->setVisible(edit && !asItIs);
    if (edit || untouched)
        m_message->setMessage(InlineMessage::Tone::Hint, QString());
    else
        m_message->setMessage(InlineMessage::Tone::Problem, sentences(edit.error()));
}

void RuleDialog::accept()
{
    const Result<AlertRule> rule = entered();
    if (!m_write->isEnabled() || !rule)
        return;
    m_write->setEnabled(false);
    const int index = m_rule->currentIndex();
    const QByteArray insteadOf =
        index < int(m_rules.size()) ? m_rules[size_t(index)].id() : QByteArray();
    changeFile<ConfigEdit>(
        this,
        [rule = *rule, insteadOf, path = m_path] {
            return editConfigFile(path, [&](const QByteArray& toml) {
                return writeAlert(toml, path, rule, insteadOf);
            });
        },
        [this, id = rule->id()](const Result<ConfigEdit>& edit) { onWritten(edit, id); });
}

void RuleDialog::onWritten(const Result<ConfigEdit>& edit, const QByteArray& id)
{
    if (!edit) {
        m_write->setEnabled(true);
        return m_message->setError(edit.error());
    }
    m_toml = edit->text;
    listRules(id);
    m_message->setMessage(
        InlineMessage::Tone::Ok,
        tr("Written and applied: lines %1 to %2 of %3. To revert it, edit them there.")
            .arg(edit->firstLine)
            .arg(edit->lastLine)
            .arg(m_path));
    if (m_session)
        m_session->noteConfigEdited();
}

} // namespace lk
