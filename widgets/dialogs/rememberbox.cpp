// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/dialogs/rememberbox.h"

#include "backend/text/errortext.h"
#include "widgets/theme/boxlayout.h"
#include "widgets/theme/theme.h"

#include <QCheckBox>
#include <QLabel>

namespace lk {

RememberBox::RememberBox(SecretStore& secrets, QWidget* parent)
    : QWidget(parent)
    , m_box(new QCheckBox(tr("Remember in the ke&yring"), this))
    , m_reason(new QLabel(this))
{
    m_reason->setFont(uiFont(TextSize::Caption));
    m_reason->setForegroundRole(QPalette::PlaceholderText);
    rowIn(this, {}, 8, {m_box, {m_reason, 1}});
    setFocusProxy(m_box);
    setReason(tr("asking the keyring…"));
    secrets.check(this, [this](const Result<void>& done) {
        setReason(done ? QString() : errorText(done.error()));
        m_box->setChecked(done && m_wanted);
    });
}

bool RememberBox::isChecked() const
{
    return m_box->isEnabled() && m_box->isChecked();
}

void RememberBox::setChecked(bool checked)
{
    m_wanted = checked;
    if (m_box->isEnabled())
        m_box->setChecked(checked);
}

QString RememberBox::reason() const
{
    return m_reason->text();
}

void RememberBox::setReason(const QString& reason)
{
    m_box->setEnabled(reason.isEmpty());
    m_reason->setText(reason);
    m_box->setAccessibleDescription(reason);
}

} // namespace lk
