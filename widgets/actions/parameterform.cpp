// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/actions/parameterform.h"

#include "backend/core/names/keyname.h"
#include "backend/text/time/duration.h"
#include "widgets/controls/inlinemessage.h"
#include "widgets/theme/theme.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QJsonDocument>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>

#include <algorithm>

namespace lk {

namespace {

using Type = ActionParameter::Type;
using Tone = InlineMessage::Tone;

// "next: taken first" says more than "next" alone; the hint below does.
QComboBox* choiceBox(const ActionParameter& parameter)
{
    auto* box = new QComboBox;
    for (const QByteArray& choice : parameter.choices)
        box->addItem(QString::fromUtf8(choice), choice);
    box->setCurrentIndex(std::max(0, box->findData(parameter.preset)));
    return box;
}

} // namespace

ParameterForm::ParameterForm(std::vector<ActionParameter> parameters, const QByteArray& items,
                             QWidget* parent)
    : QWidget(parent)
    , m_items(items)
{
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(16);
    grid->setVerticalSpacing(4);
    grid->setColumnStretch(1, 1);
    for (const ActionParameter& parameter : parameters) {
        if (parameter.type == Type::Items && !items.isEmpty())
            addItemsBox(grid, parameter);
    }
    for (const ActionParameter& parameter : parameters) {
        if (parameter.type != Type::Items)
            addField(grid, parameter);
    }
    onChanged();
}

// Chosen rows are used by default; the other ways to choose appear when the box is unticked.
void ParameterForm::addItemsBox(QGridLayout* grid, const ActionParameter& parameter)
{
    m_itemsName = parameter.name;
    m_onlyItems = new QCheckBox(
        tr("Only the %Ln &selected job(s)", nullptr, int(m_items.count(',')) + 1), this);
    m_onlyItems->setChecked(true);
    grid->addWidget(m_onlyItems, grid->rowCount(), 1);
    grid->setRowMinimumHeight(grid->rowCount(), 4);
    connect(m_onlyItems, &QCheckBox::toggled, this, &ParameterForm::onChanged);
}

QWidget* ParameterForm::makeEditor(const ActionParameter& parameter)
{
    const QString hint = !parameter.preset.isEmpty() ? QString::fromUtf8(parameter.preset)
                         : parameter.required        ? QString()
                                                     : tr("optional");
    switch (parameter.type) {
    case Type::Flag: {
        auto* box = new QCheckBox(parameter.label);
        connect(box, &QCheckBox::toggled, this, &ParameterForm::onChanged);
        return box;
    }
    case Type::Choice: {
        QComboBox* box = choiceBox(parameter);
        connect(box, &QComboBox::currentIndexChanged, this, &ParameterForm::onChanged);
        return box;
    }
    case Type::Payload: {
        auto* text = new QPlainTextEdit;
        text->setFont(monoFont(TextSize::Body));
        text->setPlaceholderText(hint);
        text->setTabChangesFocus(true);
        text->setFixedHeight(text->fontMetrics().lineSpacing() * 5 + 12);
        connect(text, &QPlainTextEdit::textChanged, this, &ParameterForm::onChanged);
        return text;
    }
    case Type::Text:
    case Type::Duration:
    case Type::Count:
    case Type::Items:
        break;
    }
    auto* line = new QLineEdit;
    line->setPlaceholderText(hint);
    if (parameter.type == Type::Text)
        line->setFont(monoFont(TextSize::Body));
    connect(line, &QLineEdit::textChanged, this, &ParameterForm::onChanged);
    return line;
}

void ParameterForm::addField(QGridLayout* grid, const ActionParameter& parameter)
{
    Field field{parameter, nullptr, makeEditor(parameter), new InlineMessage, {}, false,
                false,     false};
    const int row = grid->rowCount();
    // A box says its own name.
    auto* label = new QLabel(parameter.type == Type::Flag ? QString() : parameter.label);
    label->setBuddy(field.editor);
    field.label = label;
    field.editor->setAccessibleName(parameter.label);
    field.editor->setAccessibleDescription(parameter.help);
    field.editor->setObjectName(QString::fromLatin1(parameter.name));
    grid->addWidget(label, row, 0,
                    parameter.type == Type::Payload ? Qt::AlignTop : Qt::AlignVCenter);
    grid->addWidget(field.editor, row, 1);
    grid->addWidget(field.hint, row + 1, 1);
    grid->setRowMinimumHeight(row + 2, 6);
    m_fields.push_back(field);
}

bool ParameterForm::isAsked(const Field& field) const
{
    if (field.leftOut || (field.withItems && itemsMeant()))
        return false;
    return !itemsMeant() || field.parameter.required || field.parameter.type == Type::Choice;
}

bool ParameterForm::isGiven(const Field& field) const
{
    return isAsked(field) || (field.withItems && itemsMeant());
}

bool ParameterForm::itemsMeant() const
{
    return m_onlyItems && m_onlyItems->isChecked();
}

QByteArray ParameterForm::valueOf(const Field& field) const
{
    if (const auto* box = qobject_cast<const QCheckBox*>(field.editor))
        return box->isChecked() ? QByteArrayLiteral("1") : QByteArray();
    if (const auto* box = qobject_cast<const QComboBox*>(field.editor))
        return box->currentData().toByteArray();
    if (const auto* text = qobject_cast<const QPlainTextEdit*>(field.editor))
        return text->toPlainText().toUtf8();
    const QString text = static_cast<const QLineEdit*>(field.editor)->text();
    if (!field.known.isEmpty() && text == displayName(field.known))
        return field.known;
    // Owners and keys may hold any byte, and are shown with \xNN for those that do not print.
    return field.parameter.type == Type::Text ? bytesFromDisplay(text) : text.trimmed().toUtf8();
}

QString ParameterForm::problemOf(const Field& field) const
{
    const QByteArray value = valueOf(field);
    if (value.isEmpty())
        return {};
    if (field.parameter.type == Type::Duration) {
        const Result<qint64> ms = parseDuration(QString::fromUtf8(value));
        return ms ? QString() : ms.error().detail;
    }
    bool ok = true;
    if (field.parameter.type == Type::Count && (value.toLongLong(&ok) < 1 || !ok))
        return tr("a whole number, 1 or more");
    return {};
}

void ParameterForm::check(const Field& field)
{
    const QString problem = problemOf(field);
    const QByteArray value = valueOf(field);
    if (!problem.isEmpty()) {
        field.hint->setMessage(Tone::Problem, problem);
    } else if (field.parameter.type == Type::Payload && !value.trimmed().isEmpty()) {
        const bool json = !QJsonDocument::fromJson(value).isNull();
        field.hint->setMessage(json ? Tone::Ok : Tone::Hint,
                               json ? tr("valid JSON") : tr("not JSON; sent as it is"));
    } else {
        field.hint->setMessage(Tone::Hint, field.parameter.help);
    }
}

void ParameterForm::onChanged()
{
    for (const Field& field : m_fields) {
        const bool asked = isAsked(field);
        for (QWidget* widget :
             std::initializer_list<QWidget*>{field.label, field.editor, field.hint})
            widget->setVisible(asked);
        check(field);
    }
    emit changed();
}

void ParameterForm::prefill(const QByteArray& name, const QByteArray& value)
{
    for (Field& field : m_fields) {
        if (field.parameter.name != name)
            continue;
        if (auto* box = qobject_cast<QComboBox*>(field.editor); box && box->findData(value) >= 0)
            box->setCurrentIndex(box->findData(value));
        auto* line = qobject_cast<QLineEdit*>(field.editor);
        if (!line)
            continue;
        field.known = value;
        line->setText(displayName(value));
        line->setCursorPosition(0);
        field.prefilled = true;
    }
}

void ParameterForm::bindToItems(const QByteArray& name, const QByteArray& value)
{
    for (Field& field : m_fields) {
        if (field.parameter.name != name)
            continue;
        field.known = value;
        if (auto* line = qobject_cast<QLineEdit*>(field.editor))
            line->setText(displayName(value));
        else if (auto* box = qobject_cast<QComboBox*>(field.editor))
            box->setCurrentIndex(std::max(0, box->findData(value)));
        field.withItems = true;
    }
    onChanged();
}

void ParameterForm::leaveOut(const QByteArray& name)
{
    for (Field& field : m_fields)
        field.leftOut = field.leftOut || field.parameter.name == name;
    onChanged();
}

bool ParameterForm::hasFields() const
{
    return std::any_of(m_fields.begin(), m_fields.end(),
                       [&](const Field& field) { return isAsked(field); });
}

bool ParameterForm::isWorthAsking() const
{
    return std::any_of(m_fields.begin(), m_fields.end(),
                       [&](const Field& field) { return isAsked(field) && !field.prefilled; });
}

bool ParameterForm::isComplete() const
{
    return std::all_of(m_fields.begin(), m_fields.end(), [&](const Field& field) {
        return !isAsked(field) || (problemOf(field).isEmpty() &&
                                   (!field.parameter.required || !valueOf(field).isEmpty()));
    });
}

ActionRequest ParameterForm::request() const
{
    ActionRequest request;
    if (itemsMeant())
        request.values[m_itemsName] = m_items;
    for (const Field& field : m_fields) {
        const QByteArray value = valueOf(field);
        if (isGiven(field) && !value.isEmpty())
            request.values[field.parameter.name] = value;
    }
    return request;
}

void ParameterForm::focusFirst()
{
    for (const Field& field : m_fields) {
        if (isAsked(field) && !field.prefilled)
            return field.editor->setFocus();
    }
}

} // namespace lk
